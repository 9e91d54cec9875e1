"""docs/admin.md lists every setting as it is declared."""

from pathlib import Path

from search.admin.site_settings import in_words, range_text
from search.domain.site_settings import SETTINGS

GUIDE = Path(__file__).parents[2] / "docs" / "admin.md"


def row(setting):
    default, reach = in_words(setting.name, setting.default), range_text(setting.name)
    cells = (setting.group, setting.label, default, reach, setting.help_text)
    return f"| {' | '.join(cells)} |"


def test_the_guide_lists_all_settings_with_default_and_range():
    text = GUIDE.read_text(encoding="utf-8")
    table = text.partition("|---|---|---|---|---|\n")[2].partition("\n\n")[0]
    assert table == "\n".join(map(row, SETTINGS.values()))
