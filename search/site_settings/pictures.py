"""An uploaded picture as it is kept: no larger than pages show it, without where, when and by which camera it
was taken."""

from contextlib import suppress
from io import BytesIO

from PIL import Image, ImageOps

from .fields import EXTENSIONS

# Twice as wide as any page shows it.
WIDEST = 1_600
QUALITY = 85


def as_kept(upload: BytesIO) -> bytes:
    """The JPEG, PNG or WebP with its side up, at most `WIDEST` pixels each way. Raises OSError or ValueError
    for one that breaks off."""
    picture: Image.Image = Image.open(upload, formats=tuple(EXTENSIONS))
    # A JPEG is decoded no larger than it is needed.
    picture.draft("RGB", (WIDEST, WIDEST))
    # Cameras put a smaller copy beside their JPEGs, which is another format to Pillow.
    kind = picture.format if picture.format in EXTENSIONS else "JPEG"
    colours = picture.info.get("icc_profile")
    with suppress(SyntaxError):  # what it says of its camera can't be read
        picture = ImageOps.exif_transpose(picture)
    if picture.mode == "CMYK":
        colours = None  # of inks
    if picture.mode not in ("L", "RGB", "RGBA"):
        picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    picture.thumbnail((WIDEST, WIDEST))
    # Some of what it says would be written with the pixels.
    picture.info.clear()
    content = BytesIO()
    picture.save(content, kind, quality=QUALITY, optimize=True, icc_profile=colours)
    return content.getvalue()
