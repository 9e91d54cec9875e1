"""Orders and filters that came later are offered by the settings that are saved already.

The first edition refuses a row that names an order it has never heard of. So its two columns stay as they
are, for the time it runs beside this one and for the way back to it, and the longer lists get columns of
their own.
"""

from django.db import migrations

from search.site_settings.fields import WordsField

ALL = {
    "sorts": ("price", "rating", "stars", "distance", "tradeoffs", "value", "provider"),
    "filters": (
        "max_price", "min_rating", "stars", "type", "facility", "provider", "free_cancellation",
        "pay_later", "deals", "name", "max_km", "bbox", "tradeoffs",
    ),
}  # fmt: skip
LATER = {"sorts": {"tradeoffs", "value"}, "filters": {"tradeoffs"}}
WORDS = {
    "sorts": {"help_text": "The choices beside “Sort by”.", "verbose_name": "offered orders"},
    "filters": {
        "help_text": "The groups of the filter panel.", "verbose_name": "offered filters", "blank": True,
    },
}  # fmt: skip


def with_later(name, chosen):
    """A list with what came later, in the order of the settings page; one that names some of it was saved
    when all of it was on offer, and stays."""
    if LATER[name] & {*chosen}:
        return chosen
    wanted = LATER[name] | {*chosen}
    return (*(one for one in ALL[name] if one in wanted), *(one for one in chosen if one not in ALL[name]))


def offer_later_choices(apps, schema_editor):
    rows = apps.get_model("search", "SiteSettings").objects.using(schema_editor.connection.alias)
    for row in rows.all():
        for name in ALL:
            setattr(row, f"offered_{name}", with_later(name, getattr(row, name)))
        row.save(update_fields=[f"offered_{name}" for name in ALL])


def column(name, words, **options):
    return WordsField(db_default=" ".join(words), default=words, **WORDS[name], **options)


def of_first_edition(name):
    """What a row that this edition makes says to the first one."""
    return tuple(one for one in ALL[name] if one not in LATER[name])


class Migration(migrations.Migration):
    dependencies = [("search", "0004_second_edition")]

    operations = [
        *(migrations.AlterField("sitesettings", name, column(name, of_first_edition(name))) for name in ALL),
        *(migrations.AddField("sitesettings", f"offered_{name}", column(name, ALL[name])) for name in ALL),
        migrations.RunPython(offer_later_choices, migrations.RunPython.noop),
        # No statement: the columns of the first edition stay in the database.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                operation
                for name in ALL
                for operation in (
                    migrations.RemoveField("sitesettings", name),
                    migrations.RenameField("sitesettings", f"offered_{name}", name),
                    migrations.AlterField(
                        "sitesettings", name, column(name, ALL[name], db_column=f"offered_{name}")
                    ),
                )
            ]
        ),
    ]
