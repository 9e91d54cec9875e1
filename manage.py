#!/usr/bin/env python
"""Django's command line: `python manage.py serve` starts the site."""

import os
import sys

# What an older Python meets first, in words that it can read.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("The site needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031


def main():
    """Run the command; a setting that can't be used is one line, not a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelsite.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed here. First: pip install -r requirements.txt")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except ModuleNotFoundError as error:
        # Who has taken over a later version may lack a library that the one before did without.
        if (error.name or "").partition(".")[0] in ("", "hotelsite", "search"):
            raise
        sys.exit("%s is not installed here. First: pip install -r requirements.txt" % error.name)  # noqa: UP031


if __name__ == "__main__":
    main()
