"""The WSGI entry point, `hotelsite.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelsite.settings")

application = get_wsgi_application()
