"""`python -m tests.api`: writes docs/openapi.json from the classes of search/documents.py."""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelsite.settings")
django.setup()

from tests.api.openapi import FILE, text  # noqa: E402  # models need Django

FILE.write_text(text(), encoding="utf-8")
