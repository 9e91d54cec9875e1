"""Page objects: what a template gets, every text in words and every link ready-made."""
