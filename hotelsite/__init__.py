"""The project: how the site is run."""
