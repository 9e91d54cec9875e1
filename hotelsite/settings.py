"""Settings. Every environment variable of the site is read here and nowhere else; .env.example explains each.

What an admin may change at run time is in the admin (SiteSettings), not here.
"""

import os
import tomllib
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import django
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environ import Env
from jinja2 import StrictUndefined

from hotelsite import environment as env
from hotelsite.logging import calm, has_traceback
from search.sandbox.weather import parse_weather

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
VAR_DIR = BASE_DIR / "var"
STATIC_ROOT = VAR_DIR / "static"
with suppress(OSError):  # a read-only checkout runs too, given SECRET_KEY, DATABASE_URL and collected files
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)

# Tests must mean the same on every machine.
if "PYTEST_VERSION" not in os.environ:
    env.read_file(BASE_DIR / ".env")

# The gateway
GATEWAY_BASE_URL = env.read("GATEWAY_BASE_URL", env.gateway_address, env.AN_ADDRESS)
GATEWAY_API_KEY = env.text("GATEWAY_API_KEY")
if GATEWAY_BASE_URL and not GATEWAY_API_KEY:
    raise ImproperlyConfigured("Set GATEWAY_API_KEY: the gateway of GATEWAY_BASE_URL wants a key.")
GATEWAY_DEADLINE = env.number("GATEWAY_DEADLINE", float, 6.0, (0.1, 120))
SANDBOX_WEATHER = env.text("SANDBOX_WEATHER")
try:
    parse_weather(SANDBOX_WEATHER)
except ValueError as error:
    raise ImproperlyConfigured(f"SANDBOX_WEATHER: {error}.") from None
A_DAY = "a date such as 2030-05-01"
SANDBOX_DAY = env.read("SANDBOX_DAY", lambda day: date.fromisoformat(day) if day else None, A_DAY)

# None: the admin's own figures decide.
SEARCH_FRESH_SECONDS = env.number("SEARCH_FRESH_SECONDS", int, None, (0, 86_400))
DETAILS_FRESH_SECONDS = env.number("DETAILS_FRESH_SECONDS", int, None, (0, 604_800))
AIRPORTS_FRESH_SECONDS = env.number("AIRPORTS_FRESH_SECONDS", int, None, (0, 2_592_000))

# The map
MAP_TILE_URL = env.text("MAP_TILE_URL")
TILE_SOURCES = env.read("MAP_TILE_URL", env.tile_sources, env.TILES)
MAP_ATTRIBUTION = env.text("MAP_ATTRIBUTION")

# Who we are, and how we are reached
DEBUG = env.switch("DEBUG")
A_HOST = "host names such as hotels.example, without https:// and port"
ALLOWED_HOSTS = env.each("ALLOWED_HOSTS", env.HOST_NAME, A_HOST, "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = env.each("CSRF_TRUSTED_ORIGINS", env.ORIGIN, "origins such as https://hotels.example")
SECRET_KEY = env.text("SECRET_KEY") or env.kept_secret(VAR_DIR / "secret_key")

# TLS ends at a proxy in front of the site. Both are off by default: a first start on one's own machine speaks
# plain http, and a header that any visitor can send means something from a trusted proxy only.
SECURE_TLS = env.switch("SECURE_TLS")
TRUST_PROXY = env.switch("TRUST_PROXY")
SECURE_SSL_REDIRECT = SECURE_TLS
# Asked by load balancers and Prometheus, which use plain http and an IP address for the host.
MACHINE_PATHS = ("/healthz", "/readyz", "/metrics")
SECURE_REDIRECT_EXEMPT = [f"^{path[1:]}$" for path in MACHINE_PATHS]
SECURE_HSTS_SECONDS = env.number("SECURE_HSTS_SECONDS", int, 31_536_000, (0, 63_072_000)) if SECURE_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE_TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUST_PROXY else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_TLS
CSRF_COOKIE_HTTPONLY = True
if not SECURE_TLS and all(map(env.is_loopback, ALLOWED_HOSTS)):
    # Only this machine is answered, so there is no TLS to ask for. A real host name brings the checks back.
    SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008", "security.W012", "security.W016"]
elif SECURE_TLS and not SECURE_HSTS_SECONDS:
    # HSTS is off on purpose: the check in deploy/release.sh must not stop at that.
    SILENCED_SYSTEM_CHECKS = ["security.W004"]

# Hotels' photos come from any host that the gateway names; the sandbox's are our own.
PHOTO_SOURCES = ["https:"] if GATEWAY_BASE_URL else []
NOWHERE = ("default-src", "base-uri", "object-src", "frame-ancestors")
OUR_OWN = ("script-src", "style-src", "font-src", "connect-src", "manifest-src", "form-action")
# From version 6 on Django sends the header itself.
DJANGO_HAS_CSP = django.VERSION >= (6,)
DJANGOS_CSP = "django.middleware.csp.ContentSecurityPolicyMiddleware"
SECURE_CSP = {
    **{name: [NONE] for name in NOWHERE},
    **{name: [SELF] for name in OUR_OWN},
    "img-src": [SELF, "data:", *PHOTO_SOURCES, *TILE_SOURCES],
}
CONTENT_SECURITY_POLICY = {"DIRECTIVES": SECURE_CSP}

INSTALLED_APPS = [
    "search",
    "hotelsite.admin_site.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    *([] if DJANGO_HAS_CSP else ["csp"]),
    "js_lib_leaflet",
]

MIDDLEWARE = [
    "hotelsite.middleware.RequestMiddleware",
    DJANGOS_CSP if DJANGO_HAS_CSP else "csp.middleware.CSPMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "hotelsite.middleware.CompressionMiddleware",
    "search.documents.ProblemMiddleware",
    "hotelsite.middleware.UnreadableMiddleware",
    "search.web.markets.MarketLanguageMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "hotelsite.middleware.CommonMiddleware",
    "hotelsite.middleware.FailureMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "hotelsite.urls"
WSGI_APPLICATION = "hotelsite.wsgi.application"

# The public pages are Jinja2, the admin's are Django's own. Neither finds a template of the other.
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "search.web.jinja.LanguageEnvironments",
            "undefined": StrictUndefined,
            "trim_blocks": True,
            "lstrip_blocks": True,
            "cache_size": -1,  # all of them, and without the lock of a bounded cache
            "context_processors": [
                "search.web.shortcuts.surroundings",
                "search.destinations.views.search_bar_options",
                "search.destinations.views.map_options",
                "search.sharing.staff.share_links",
            ],
        },
    },
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates" / "django"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "search.web.shortcuts.surroundings",
            ]
        },
    },
]

# Data
SQLITE = f"sqlite:///{VAR_DIR / 'db.sqlite3'}"
DATABASES = {"default": env.read("DATABASE_URL", env.database, env.A_DATABASE, SQLITE)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 5,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    # A database machine that is gone sends nothing: without these limits a query waits a quarter of an hour.
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 2,
        "tcp_user_timeout": 5_000,
        "keepalives_idle": 5,
        **DATABASES["default"].get("OPTIONS", {}),
    }

CACHE_MAX_BYTES = env.number("CACHE_MAX_BYTES", int, 256 * 2**20, (2**24, 2**40))
CACHES = {
    "default": env.read(
        "CACHE_URL", lambda url: env.cache(url, VAR_DIR / "cache", CACHE_MAX_BYTES), env.A_CACHE
    ),
    "process": {"BACKEND": env.LOCAL_MEMORY, "LOCATION": "process", "OPTIONS": {"MAX_ENTRIES": 10_000}},
}
CACHE_IS_SHARED = "locmem" not in CACHES["default"]["BACKEND"]

# The site settings as they were last read, for processes that start while the database is away.
SETTINGS_COPY = VAR_DIR / "settings.json"
if "file_cache" in CACHES["default"]["BACKEND"]:
    SETTINGS_COPY = Path(CACHES["default"]["LOCATION"], "settings.json")

MEDIA_ROOT = VAR_DIR / "media"
MEDIA_URL = "/media/"

# Static files
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "hotelsite.static_files.StyleSheetFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "hotelsite.static_files.StaticStorage"},
}
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

# Mails to colleagues about shared links that they have watched; without an address of a server none is sent.
EMAIL_URL = env.text("EMAIL_URL")
if EMAIL_URL:
    globals().update(Env.email_url_config(EMAIL_URL))
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "hotels@localhost")
EMAIL_TIMEOUT = 10
# Whether the server's own processes look watched totals up, as those of `serve` do.
WATCH_INSIDE = env.switch("WATCH_INSIDE")

# Signing in (staff only)
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=10)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # ten minutes are ten
AXES_LOCKOUT_PARAMETERS = ["ip_address"]
AXES_RESET_ON_SUCCESS = True
AXES_HANDLER = "hotelsite.sign_in.SignInHandler"
AXES_LOCKOUT_CALLABLE = "hotelsite.sign_in.locked_out"
AXES_CLIENT_IP_CALLABLE = "hotelsite.middleware.visitor_network"
AXES_VERBOSE = False

# Languages and time
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("pl", "Polski"),
    ("pt", "Português"),
]
TIME_ZONE = env.read("TIME_ZONE", lambda name: ZoneInfo(name).key, "a time zone such as Europe/Madrid", "UTC")
FORMAT_MODULE_PATH = ["hotelsite.formats"]

# After SIGTERM a server says that it isn't ready, and answers until its load balancer notices.
DRAIN_SECONDS = env.number("DRAIN_SECONDS", float, 0, (0, 20))

# What Prometheus shows when it asks for /metrics; without one there is no such page.
METRICS_TOKEN = env.text("METRICS_TOKEN")

# Logs: one line a record, on standard error, without the gateway's key
LOG_LEVEL = env.one_of("LOG_LEVEL", "INFO", "DEBUG", "WARNING", "WARN", "ERROR", "CRITICAL", "FATAL")
LOG_FORMAT = env.one_of("LOG_FORMAT", "pairs", "json")
LOGGING_CONFIG = "hotelsite.logging.configure"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "pairs": {"()": "hotelsite.logging.LineFormatter"},
        "json": {"()": "hotelsite.logging.JsonFormatter"},
    },
    "handlers": {
        # Set here, too: records of loggers that have a level of their own, Django's, don't ask the root's.
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": [calm],
            "level": LOG_LEVEL,
        }
    },
    "root": {"level": LOG_LEVEL, "handlers": ["stderr"]},
    "loggers": {
        # Django gives these two handlers of their own; one way out is enough.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
        "django.request": {"filters": [has_traceback]},
        # Its warnings about odd answers carry the address, and with it what a visitor searched for.
        "urllib3": {"level": "ERROR"},
        # So do its lines about connections that broke; a full queue is in the metrics.
        "waitress": {"level": "WARNING"},
        "waitress.queue": {"level": "ERROR"},
    },
}
