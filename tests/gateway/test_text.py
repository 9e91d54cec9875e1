"""Upstream text is cleaned and read as its readers would see it."""

from __future__ import annotations

from search.gateway.free_form import clean, clean_line, prose
from search.gateway.parsing import https_addresses
from tests.rows import each


@each(
    ("text", "read"),
    [
        ("<p>By the <b>sea</b>.</p><p>Quiet.</p>", "By the sea.\n\nQuiet."),
        ('<P CLASS="x">One<BR/>two<br />three</P>\n\n<p>Four', "One\ntwo\nthree\n\nFour"),
        ("With:<ul><li>Pool</li><li>Bar</li></ul>", "With:\n\nPool\nBar"),
        ("Caf&eacute; &amp; Bar&#10;Two&#x202e;", "Caf\N{LATIN SMALL LETTER E WITH ACUTE} & Bar\nTwo"),
        ("&lt;p&gt;Twice&lt;/p&gt;", "Twice"),
        ("B&B, R&D; 2 < 3 > 1, <3, <bar>, a&ltd", "B&B, R&D; 2 < 3 > 1, <3, <bar>, a&ltd"),
        ("&nosuchword; <script>x</script>", "&nosuchword; <script>x</script>"),
        ("<p>&nbsp;</p>", ""),
        ("Line\n\n \nline & line", "Line\n\nline & line"),
    ],
)
def test_markup_is_read_as_its_readers_would_see_it(text, read):
    assert prose(text, 100) == read


@each("end", ['<p style="color:red;margin:0">', "<strong>", "</p>", "</em>", "&hellip;"])
def test_markup_that_is_cut_in_two_leaves_no_half_of_it(end):
    told = "Near the sea".ljust(396 - 7 * 50, ".")
    assert prose("<b></b>" * 50 + told + end + "and so on" * 100, 100) == told


def test_a_text_is_cut_behind_its_markup():
    assert prose("<p>" + "x" * 101, 100) == "x" * 99 + "…"
    assert prose("<b></b>" * 20 + "x" * 100, 100) == "x" * 100


@each(
    ("text", "cleaned"),
    [
        ("  plain  ", "plain"),
        ("a\x00b\x7fc", "abc"),
        ("caf\xe9 \u202eevil\u2069 \ufdd0\uffff", "caf\xe9 evil"),
        ("1\r\n2\r3\n4", "1\n2\n3\n4"),
        ("x" * 12, "x" * 12),
        ("x" * 13, "x" * 11 + "…"),
        ("nine char   and more", "nine char…"),
        ("\x00" * 24 + "beyond twice the limit", ""),
        ("\u200b", ""),
        (" \ufeff\u200d \u00ad\n", ""),
        ("a\u200b", "a\u200b"),
    ],
)
def test_text_is_cleaned_and_cut_to_its_limit(text, cleaned):
    assert clean(text, 12) == cleaned


@each(
    ("text", "line"),
    [("a\nb", "a b"), ("a\tb", "a b"), ("a \r\n\t b", "a b"), ("two  spaces", "two  spaces")],
)
def test_a_line_is_one_line(text, line):
    assert clean_line(text, 20) == line


PICTURE = "https://pictures.example/1.jpg"
LONG = "https://x.example/" + "a" * (2_000 - len("https://x.example/"))


@each(
    ("text", "address"),
    [
        ("https://x.example/a.jpg", "https://x.example/a.jpg"),
        ("https://x.example:8443/a?b=c#d", "https://x.example:8443/a?b=c#d"),
        ("  https://x.example/a b  ", "https://x.example/a%20b"),
        ("https://x.example/a\n  b", "https://x.example/ab"),
        ("https://x.example/a\nhttps://x.example/b", "https://x.example/ahttps://x.example/b"),
        ("https://x.example/a?w=1&amp;h=2", "https://x.example/a?w=1&h=2"),
        ("HTTPS://X.example/a", "https://X.example/a"),
        (LONG, LONG),
        (LONG + "a", None),
        ("https://x.example/\x00", None),
        ("http://x.example/a", None),
        ("//x.example/a", None),
        ("https:///a", None),
        ("https://user@x.example/a", None),
        ("https://[x/a", None),
        ("javascript:alert(1)", None),
        ("", None),
    ],
)
def test_a_picture_has_an_https_address_without_user_information(text, address):
    found = (address,) if address else ()
    assert https_addresses([text]) == found
    # Beside others it is the same.
    assert https_addresses([PICTURE, text, PICTURE]) == (PICTURE, *found)
