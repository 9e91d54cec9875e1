"""The app's entry in INSTALLED_APPS, and the groups that say what a member of staff may do."""

from typing import Any

from django.apps import AppConfig, apps
from django.core import checks
from django.db import connection
from django.db.models.signals import post_migrate

ALL = ("add", "change", "delete", "view")
ROLES: dict[str, dict[str, tuple[str, ...]]] = {
    "Site editor": {
        "sitesettings": ("change", "view"),
        "provider": ALL,
        "blockedproperty": ALL,
        "destinationoverride": ALL,
        "featureddestination": ALL,
        "codelabel": ALL,
        "logentry": ("view",),
    },
    "Sharer": {"sharedlink": ("add", "change", "view")},
}


class SearchConfig(AppConfig):
    """Finding and comparing hotels."""

    name = "search"
    verbose_name = "Hotel search"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.core.signals import request_finished

        from .domain import process
        from .monitoring import metrics
        from .property import observed

        process.start(metrics.observe)
        request_finished.connect(metrics.set_gauges, dispatch_uid="metrics")
        request_finished.connect(observed.write_if_due, dispatch_uid="observed")
        post_migrate.connect(make_roles, sender=self)
        checks.register(warn_of_newer_database, checks.Tags.database)


def warn_of_newer_database(**_options: Any) -> list[checks.CheckMessage]:
    """A warning that names the database's migrations that this version doesn't have."""
    from django.db.migrations.loader import MigrationLoader

    loader = MigrationLoader(connection)
    unknown = loader.applied_migrations.keys() - loader.disk_migrations.keys()
    names = ", ".join(sorted(name for app, name in unknown if app == "search"))
    line = f"The database is of a newer version: this one doesn't have its migrations {names}."
    return [checks.Warning(line, id="search.W001")] if names else []


def make_roles(using: str, **_signal: Any) -> None:
    """Make the groups that are missing; what an admin changed of the others stays."""
    from django.contrib.auth.management import create_permissions
    from django.contrib.auth.models import Group, Permission

    for app in ("admin", "search"):  # Django makes those of the admin after this
        create_permissions(apps.get_app_config(app), verbosity=0, using=using)
    permissions = Permission.objects.using(using).filter(content_type__app_label__in=("admin", "search"))
    for role, grants in ROLES.items():
        group, is_new = Group.objects.using(using).get_or_create(name=role)
        if is_new:
            names = [f"{action}_{model}" for model, actions in grants.items() for action in actions]
            group.permissions.add(*permissions.filter(codename__in=names))
