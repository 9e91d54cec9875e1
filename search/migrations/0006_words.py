"""Permissions and the counts of opens are called what people call them."""

from django.db import migrations

ACTIONS = ("add", "change", "delete", "view")
# The permissions that were made before Django would have named them.
NAMES = {
    "sitesettings": "site settings",
    "provider": "provider",
    "blockedproperty": "blocked property",
    "destinationoverride": "airport correction",
    "featureddestination": "featured destination",
    "codelabel": "code label",
    "sharedlink": "shared link",
    "linkopens": "opens of one day",
    "logentry": "log entry",
}


def name_permissions(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects.using(schema_editor.connection.alias)
    for model, words in NAMES.items():
        for action in ACTIONS:
            app = "admin" if model == "logentry" else "search"
            named = permissions.filter(codename=f"{action}_{model}", content_type__app_label=app)
            named.update(name=f"Can {action} {words}")


class Migration(migrations.Migration):
    dependencies = [("search", "0005_later_choices"), ("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        migrations.AlterModelOptions(
            name="linkopens",
            options={"verbose_name": "opens of one day", "verbose_name_plural": "opens by day"},
        ),
        migrations.RunPython(name_permissions, migrations.RunPython.noop),
    ]
