"""Static files: hashed names, compressed once, and a page that stands even when a file was not collected."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage whose missing file costs its style, not the page."""

    manifest_strict = False

    def stored_name(self, name: str) -> str:
        """The hashed name of a file; its own name when it was never collected."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name
