"""Strings from an address -> domain objects."""
