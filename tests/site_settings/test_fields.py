"""A declaration that makes no column says so before a migration is made of it."""

from decimal import Decimal

import pytest
from msgspec import Meta

from search.domain.site_settings import SETTINGS
from search.site_settings.fields import model_field


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"default": Decimal("7.5")}, "nights: COLUMNS of search.site_settings.fields"),
        ({"limits": Meta(ge=1)}, "nights: a range has both ends"),
        ({"limits": Meta(le=27)}, "nights: a range has both ends"),
    ],
)
def test_a_setting_without_column_or_full_range_is_refused(changes, said):
    with pytest.raises(TypeError, match=said):
        model_field(SETTINGS["nights"]._replace(**changes))
