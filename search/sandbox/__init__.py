"""The stand-in gateway: the whole interface answered from pure functions of a property's number.

A separate program that happens to live here. It imports nothing of the site, so that it cannot share
the site's mistakes; ``adapter.py`` lets ``requests`` talk to it without a socket.
"""
