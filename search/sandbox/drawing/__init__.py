"""Flat, layered illustrations of hotels, composed from a few shapes and a light."""
