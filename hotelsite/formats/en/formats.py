"""How the admin writes moments: with their zone, as pages do."""

DATETIME_FORMAT = "j M Y, H:i T"
