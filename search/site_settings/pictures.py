"""Checks of a picture: an upload by its own bytes, whatever the browser says; an address by its host."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.core.files.base import File
from django.core.validators import URLValidator
from django.utils.translation import gettext as _
from PIL import Image

MAX_BYTES = 2 * 1024 * 1024
MIN_WIDTH, MAX_WIDTH, MAX_HEIGHT = 600, 6_000, 6_000
SANDBOX_PICTURE = re.compile(r"/sandbox/photos/[0-9]+/[a-z]+\.svg")
EXTENSIONS = {"JPEG": (".jpg", ".jpeg"), "PNG": (".png",), "WEBP": (".webp",)}


def check_picture(upload: File[bytes]) -> None:
    """Refuse an upload that is too large, no JPEG, PNG or WebP, misnamed, or of unusable dimensions."""
    if (upload.size or 0) > MAX_BYTES:
        raise ValidationError(_("The picture is larger than 2 MB."))
    upload.seek(0)
    try:
        picture = Image.open(upload, formats=tuple(EXTENSIONS))  # reads the header, decodes no pixel
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise ValidationError(_("This is no JPEG, PNG or WebP picture.")) from error
    finally:
        upload.seek(0)
    if not str(upload.name).lower().endswith(EXTENSIONS[picture.format or ""]):
        raise ValidationError(_("The name of the file doesn't say what kind of picture it is."))
    width, height = picture.size
    if not (MIN_WIDTH <= width <= MAX_WIDTH and 1 <= height <= MAX_HEIGHT):
        raise ValidationError(_("The picture must be between 600 and 6000 pixels wide."))


def check_picture_address(address: str) -> None:
    """Refuse an address that is neither https nor one of the sandbox's own drawings."""
    if SANDBOX_PICTURE.fullmatch(address):
        return
    URLValidator(["https"])(address)
