"""Pictures of properties: where a browser may load them from."""

from dataclasses import dataclass

SANDBOX_PHOTOS = "https://sandbox.invalid/photos/"
OUR_PHOTOS = "/sandbox/photos/"
MOST_PHOTOS = 60


@dataclass(frozen=True, slots=True)
class Photo:
    """`eager` pictures are in the first row: they load at once, the others when they come near."""

    src: str
    eager: bool = False


def photo_address(address: str) -> str:
    """Our own address of a sandbox picture, any other https address as it is, or empty."""
    if address.startswith(SANDBOX_PHOTOS):
        return OUR_PHOTOS + address.removeprefix(SANDBOX_PHOTOS)
    return address if address.startswith("https://") else ""


def photo_addresses(images: tuple[str, ...]) -> list[str]:
    """The loadable ones among `images`, each once, at most `MOST_PHOTOS`."""
    found = (photo_address(address) for address in images)
    return list(dict.fromkeys(address for address in found if address))[:MOST_PHOTOS]
