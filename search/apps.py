"""The app's entry in INSTALLED_APPS."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    """Finding and comparing hotels."""

    name = "search"
    verbose_name = "Hotel search"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.core.signals import request_finished

        from hotelsite import translations

        from .domain import process
        from .monitoring import metrics

        translations.compile_changed()
        process.start(metrics.observe)
        request_finished.connect(metrics.set_gauges, dispatch_uid="metrics")
