"""What a page about a search works with."""

from datetime import timedelta

from search.domain.query import Refinement, Sort
from search.domain.site_settings import Block, Site
from tests import builders as build


def test_the_order_is_the_one_asked_for_else_the_sites():
    site = Site(default_sort=Sort.STARS)
    assert build.context(site=site).sort is Sort.STARS
    assert build.context(refinement=Refinement(sort=Sort.RATING), site=site).sort is Sort.RATING


def test_properties_are_blocked_until_their_last_day():
    yesterday = build.TODAY - timedelta(days=1)
    site = Site(blocks=(Block("over", until=yesterday), Block("today", until=build.TODAY), Block("always")))
    assert build.context(site=site).blocked == {"today", "always"}


def test_another_search_keeps_everything_else():
    context = build.context(anchor=build.AIRPORT)
    other = context.with_search(stars=(4,))
    assert other.search == build.search(stars=(4,))
    assert (other.anchor, other.deadline, other.today) == (context.anchor, context.deadline, context.today)


def test_the_sent_name_is_that_of_its_place_alone():
    context = build.context(sent_place="Barcelone")
    assert context.with_search(guests=1).sent.place == "Barcelone"
    assert context.with_search(place="Rome").sent.place == "Rome"
