"""What an uploaded picture says beside its pixels: where and when it was taken, by which camera, by whom."""

import re
import struct
import zlib
from contextlib import suppress

from PIL import Image

ORIENTATION = 0x0112
UPRIGHT = 1
# What a browser draws by: the kind of file, its colours.
_JPEG_KEPT = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}
_JPEG_SAYS = {*range(0xE0, 0xF0), 0xFE}
_JPEG_EXIF, _JPEG_SCAN, _JPEG_END = 0xE1, 0xDA, 0xD9
_JPEG_WITHOUT_LENGTH = {0x01, 0xD8}
_JPEG_MARKER = re.compile(rb"\xff([^\0\xff\xd0-\xd7])")
_PNG_KEPT = set(b"tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs hIST sPLT acTL fcTL fdAT".split())
_WEBP_KEPT = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"}
_WEBP_HAS_EXIF, _WEBP_HAS_XMP = 8, 4


def without_metadata(data: bytes) -> bytes:
    """The same JPEG, PNG or WebP without Exif, XMP, comments and smaller copies of itself. No pixel is
    decoded; the side that is up stays so. Of anything else, itself."""
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    return data


def _turned(exif: bytes) -> bytes:
    """Exif data that say which side is up and nothing else; empty where that is the first row's."""
    read, kept = Image.Exif(), Image.Exif()
    with suppress(SyntaxError, ValueError, TypeError, LookupError, OSError, struct.error):
        read.load(exif)
        kept[ORIENTATION] = int(read.get(ORIENTATION, UPRIGHT))
        return b"" if kept[ORIENTATION] == UPRIGHT else kept.tobytes().removeprefix(b"Exif\0\0")
    return b""


def _jpeg(data: bytes) -> bytes:
    kept, exif, at, in_scan = [], b"", 2, False
    while found := _JPEG_MARKER.search(data, at):
        if in_scan:
            kept.append(data[at : found.start()])
        code, begin = found[1][0], found.end()
        if code == _JPEG_END:
            break
        length = 0 if code in _JPEG_WITHOUT_LENGTH else max(int.from_bytes(data[begin : begin + 2]), 2)
        at, in_scan = begin + length, code == _JPEG_SCAN
        segment = data[begin:at]
        if code == _JPEG_EXIF and segment[2:].startswith(b"Exif\0\0"):
            exif = exif or segment[2:]
        if code not in _JPEG_SAYS or segment[2:].startswith(_JPEG_KEPT.get(code, b"\0no such")):
            kept.append(b"\xff%c%b" % (code, segment))
    else:
        kept.append(data[at:])
    if turned := _turned(exif):
        content = b"Exif\0\0" + turned
        kept.insert(0, b"\xff%c%b%b" % (_JPEG_EXIF, (len(content) + 2).to_bytes(2), content))
    return b"\xff\xd8%b\xff\xd9" % b"".join(kept)


def _png(data: bytes) -> bytes:
    kept, exif, at = [data[:8]], b"", 8
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4])
        kind = data[at + 4 : at + 8]
        if kind == b"eXIf":
            exif = data[at + 8 : end - 4]
        if kind == b"IEND" and (turned := _turned(exif)):
            named = b"eXIf" + turned
            kept.append(len(turned).to_bytes(4) + named + zlib.crc32(named).to_bytes(4))
        if kind[:1].isupper() or kind in _PNG_KEPT:
            kept.append(data[at:end])
        if kind == b"IEND":
            break
        at = end
    return b"".join(kept)


def _webp(data: bytes) -> bytes:
    chunks, exif, at = [], b"", 12
    while at + 8 <= len(data):
        kind, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        content, at = data[at + 8 : at + 8 + length], at + 8 + length + length % 2
        if kind == b"EXIF":
            exif = content
        if kind in _WEBP_KEPT:
            chunks.append((kind, content))
    turned = _turned(exif)
    if chunks and chunks[0][0] == b"VP8X":
        flags, rest = chunks[0][1][:1], chunks[0][1][1:]
        says = int.from_bytes(flags) & ~(_WEBP_HAS_EXIF | _WEBP_HAS_XMP) | (_WEBP_HAS_EXIF if turned else 0)
        chunks[0] = (b"VP8X", bytes([says]) + rest)
        chunks += [(b"EXIF", turned)] if turned else []
    body = b"WEBP" + b"".join(
        kind + len(content).to_bytes(4, "little") + content + b"\0" * (len(content) % 2)
        for kind, content in chunks
    )
    return b"RIFF" + len(body).to_bytes(4, "little") + body
