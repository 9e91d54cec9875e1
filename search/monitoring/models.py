"""What is counted for good: how many visitors went on to each provider."""

from django.db import models
from django.utils.formats import date_format


class HandOverCount(models.Model):
    """One row for each provider and day; it says nothing about anybody."""

    provider = models.CharField(max_length=40)
    day = models.DateField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = "hand-over"
        ordering = ["-day", "provider"]
        constraints = [models.UniqueConstraint(fields=["day", "provider"], name="one_count_per_day")]

    def __str__(self) -> str:
        return f"{self.provider} on {date_format(self.day)}"
