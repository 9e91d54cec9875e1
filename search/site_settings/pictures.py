"""Checks of an uploaded picture by its own bytes: neither its name nor the browser's word counts."""

from __future__ import annotations

import re
from typing import IO

from django.core.exceptions import ValidationError
from django.core.files.base import File
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

MAX_BYTES = 2 * 1024 * 1024
MIN_WIDTH, MAX_WIDTH, MAX_HEIGHT = 600, 6_000, 6_000
SANDBOX_PICTURE = re.compile(r"/sandbox/photos/[0-9]+/[a-z]+\.svg")
EXTENSIONS = {"jpeg": (".jpg", ".jpeg"), "png": (".png",), "webp": (".webp",)}


def check_picture(upload: File[bytes]) -> None:
    """Refuse an upload that is too large, no JPEG, PNG or WebP, misnamed, or of unusable dimensions."""
    if (upload.size or 0) > MAX_BYTES:
        raise ValidationError(_("The picture is larger than 2 MB."))
    upload.seek(0)
    found = kind_and_size(upload)
    upload.seek(0)
    if found is None:
        raise ValidationError(_("This is no JPEG, PNG or WebP picture."))
    kind, width, height = found
    if not str(upload.name).lower().endswith(EXTENSIONS[kind]):
        raise ValidationError(_("The name of the file doesn't say what kind of picture it is."))
    if not (MIN_WIDTH <= width <= MAX_WIDTH and 1 <= height <= MAX_HEIGHT):
        raise ValidationError(_("The picture must be between 600 and 6000 pixels wide."))


def check_picture_address(address: str) -> None:
    """Refuse an address that is neither https nor one of the sandbox's own drawings."""
    if SANDBOX_PICTURE.fullmatch(address):
        return
    URLValidator(["https"])(address)


def kind_and_size(stream: IO[bytes] | File[bytes]) -> tuple[str, int, int] | None:
    """(`jpeg`, `png` or `webp`, width, height) read from the picture's header; None for anything else."""
    head = stream.read(30)
    if head[:8] == b"\x89PNG\r\n\x1a\n" and head[12:16] == b"IHDR":
        return "png", int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP" and len(head) == 30:
        return _webp(head)
    if head[:3] == b"\xff\xd8\xff":
        stream.seek(2)
        return _jpeg(stream)
    return None


def _webp(head: bytes) -> tuple[str, int, int] | None:
    """Sizes of the three WebP layouts (RFC 9649): lossy, lossless, extended."""
    match head[12:16]:
        case b"VP8 ":
            return (
                "webp",
                int.from_bytes(head[26:28], "little") & 0x3FFF,
                int.from_bytes(head[28:30], "little") & 0x3FFF,
            )
        case b"VP8L":
            bits = int.from_bytes(head[21:25], "little")
            return "webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            return (
                "webp",
                int.from_bytes(head[24:27], "little") + 1,
                int.from_bytes(head[27:30], "little") + 1,
            )
    return None


def _jpeg(stream: IO[bytes] | File[bytes]) -> tuple[str, int, int] | None:
    """The size in the first start-of-frame segment (ITU T.81, B.2.2)."""
    while True:
        marker = stream.read(2)
        if len(marker) < 2 or marker[0] != 0xFF:
            return None
        segment = stream.read(2)
        length = int.from_bytes(segment, "big") - 2
        if length < 0 or len(segment) < 2:
            return None
        # SOF0 to SOF15 without the tables (C4, C8, CC) that share their range.
        if 0xC0 <= marker[1] <= 0xCF and marker[1] not in (0xC4, 0xC8, 0xCC):
            frame = stream.read(5)
            if len(frame) < 5:
                return None
            return "jpeg", int.from_bytes(frame[3:5], "big"), int.from_bytes(frame[1:3], "big")
        stream.seek(length, 1)
