"""How the admin writes days and moments: as pages do, with their zone."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y, H:i T"
