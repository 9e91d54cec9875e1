"""What a first start needs beyond the database: collected static files and an admin for the sandbox."""

import fcntl
import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders

FINGERPRINT = "static.sha256"


@contextmanager
def alone() -> Iterator[None]:
    """One start prepares at a time; two that collect into the same folder would trip each other."""
    with (settings.VAR_DIR / "serve.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def static_files_changed() -> bool:
    """Whether the static files differ from those that were last collected."""
    try:
        kept = (settings.VAR_DIR / FINGERPRINT).read_text()
    except FileNotFoundError:
        return True
    return kept != _fingerprint() or not (settings.STATIC_ROOT / "staticfiles.json").exists()


def remember_static_files() -> None:
    """Keeps the fingerprint of what was just collected."""
    (settings.VAR_DIR / FINGERPRINT).write_text(_fingerprint())


def _fingerprint() -> str:
    """Of names and contents: a checkout changes times without changing files."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            digest.update(path.encode() + b"\0")
            with storage.open(path) as file:
                digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


def make_sandbox_admin() -> str:
    """Makes the user "admin" while there is no user at all; its random password, or "" if none was made."""
    users = get_user_model()._default_manager
    if users.exists():
        return ""
    password = secrets.token_urlsafe(12)
    users.create_superuser("admin", "", password)
    return password
