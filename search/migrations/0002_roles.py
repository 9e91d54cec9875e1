"""Roles without user management: what a member of staff may do is a matter of groups, not of accounts."""

from django.db import migrations

SITE_EDITOR = {
    "search.sitesettings": ("change", "view"),
    "search.provider": ("add", "change", "delete", "view"),
    "search.blockedproperty": ("add", "change", "delete", "view"),
    "search.destinationoverride": ("add", "change", "delete", "view"),
    "search.featureddestination": ("add", "change", "delete", "view"),
    "search.codelabel": ("add", "change", "delete", "view"),
    "admin.logentry": ("view",),
}
SHARER = {"search.sharedlink": ("add", "change", "view")}
ROLES = {"Site editor": SITE_EDITOR, "Sharer": SHARER}


def make_roles(apps, schema_editor):
    # Django creates permissions after the last migration, too late to grant them here: made early,
    # they are the ones it finds.
    content_types = apps.get_model("contenttypes", "ContentType").objects.using(schema_editor.connection.alias)
    permissions = apps.get_model("auth", "Permission").objects.using(schema_editor.connection.alias)
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    for role, grants in ROLES.items():
        group, _ = groups.get_or_create(name=role)
        for label, actions in grants.items():
            app, model = label.split(".")
            content_type, _ = content_types.get_or_create(app_label=app, model=model)
            for action in actions:
                permission, _ = permissions.get_or_create(
                    content_type=content_type,
                    codename=f"{action}_{model}",
                    defaults={"name": f"Can {action} {model}"},
                )
                group.permissions.add(permission)


def drop_roles(apps, schema_editor):
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    groups.filter(name__in=ROLES).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("search", "0001_first_models"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_roles, drop_roles)]
