"""Featured destinations: order, seasons, and the picture that is uploaded, named or chosen."""

import struct
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from zlib import crc32

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import localdate
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from search.site_settings import store
from search.site_settings.models import FeaturedDestination
from tests.admin.content_tables import act, history_of


def picture(kind, width=1200, height=800, *, mode="", **options):
    content = BytesIO()
    Image.new(mode or ("1" if kind == "PNG" else "RGB"), (width, height)).save(content, kind, **options)
    return content.getvalue()


PNG, JPEG, WEBP = picture("PNG"), picture("JPEG"), picture("WEBP")
HEADER = b"IHDR" + struct.pack(">II", 20_000, 20_000) + PNG[24:29]
# It says of itself that it is larger than anything should read.
HUGE = PNG[:12] + HEADER + struct.pack(">I", crc32(HEADER)) + PNG[33:]


def test_featured_destinations_keep_order_and_season(editor):
    today = localdate()
    later = FeaturedDestination.objects.create(place="Later", first_day=today + timedelta(days=1))
    FeaturedDestination.objects.create(place="Second", order=2)
    FeaturedDestination.objects.create(place="First", order=1)
    assert [one.place for one in store.current().featured_on(today)] == ["First", "Second"]
    act(editor, "featureddestination", "whole_year", later)
    assert [one.place for one in store.current().featured_on(today)] == ["Later", "First", "Second"]
    act(editor, "featureddestination", "end_today", later)
    assert "Later" not in [one.place for one in store.current().featured_on(today + timedelta(days=1))]


YEAR = localdate().year + 1

SUMMER = {"first_day": f"{YEAR}-06-01", "last_day": f"{YEAR}-08-31"}


@pytest.mark.parametrize(
    ("there", "place", "season", "said"),
    [
        ({}, "Rome", {}, "“Rome” is featured already, all year."),
        ({}, "Roma", {}, "“Rome” is featured already, all year."),
        (SUMMER, "Rome", {}, f"“Rome” is featured already, from 1 Jun {YEAR} until 31 Aug {YEAR}."),
        (SUMMER, "Rome", {"first_day": f"{YEAR}-08-31"}, "is featured already, from"),
        ({"last_day": f"{YEAR}-06-01"}, "Rome", SUMMER, f"is featured already, until 1 Jun {YEAR}."),
    ],
)
def test_a_place_is_not_featured_twice_at_a_time(editor, there, place, season, said):
    FeaturedDestination.objects.create(place="Rome", **there)
    page = editor.post("/admin/search/featureddestination/add/", {"place": place, "order": "0", **season})
    assert said in page.context["adminform"].form.errors["place"][0]
    assert FeaturedDestination.objects.count() == 1


@pytest.mark.parametrize(
    ("place", "season"),
    [("Rome", {"first_day": f"{YEAR}-09-01"}), ("Rome", {"last_day": f"{YEAR}-05-31"}), ("Lisbon", SUMMER)],
)
def test_only_seasons_of_the_same_place_may_not_overlap(editor, place, season):
    FeaturedDestination.objects.create(place="Rome", **SUMMER)
    editor.post("/admin/search/featureddestination/add/", {"place": place, "order": "0", **season})
    assert FeaturedDestination.objects.filter(place=place, **season).exists()


def test_an_older_overlap_can_still_be_worded_and_ended(editor):
    rows = [FeaturedDestination.objects.create(place="Rome", order=order) for order in (1, 2)]
    page = f"/admin/search/featureddestination/{rows[0].pk}/change/"
    editor.post(page, {"place": "Rome", "order": "3", "text": "Seven hills"})
    act(editor, "featureddestination", "end_today", rows[1])
    rows = FeaturedDestination.objects.order_by("order").values_list("order", "text", "last_day")
    assert list(rows) == [(2, "", localdate()), (3, "Seven hills", None)]


def upload(client, name, content):
    return client.post(
        "/admin/search/featureddestination/add/",
        {"place": "Rome", "order": "0", "upload": SimpleUploadedFile(name, content)},
    )


def served(client):
    """The picture that visitors get."""
    address = store.current().featured[0].picture
    assert address.startswith("/media/featured/")
    content = b"".join(client.get(address).streaming_content)
    return content, Image.open(BytesIO(content))


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("rome.png", PNG, "PNG"),
        ("rome.png", picture("PNG", mode="RGBA"), "PNG"),
        ("rome.jpg", JPEG, "JPEG"),
        ("rome.jpg", picture("JPEG", mode="CMYK"), "JPEG"),
        ("rome.jpg", picture("MPO", save_all=True, append_images=[Image.new("RGB", (320, 240))]), "JPEG"),
        ("rome.webp", WEBP, "WEBP"),
    ],
)
def test_an_uploaded_picture_is_kept_and_served(editor, client, name, content, kind):
    assert upload(editor, name, content).status_code == 302
    _content, shown = served(client)
    assert (shown.format, shown.size) == (kind, (1200, 800))
    assert shown.has_transparency_data == Image.open(BytesIO(content)).has_transparency_data


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_an_uploaded_picture_is_no_larger_than_pages_show_it(editor, client, kind):
    upload(editor, f"rome.{kind.lower()}", picture(kind, width=2_000, height=1_500))
    _content, shown = served(client)
    assert shown.size == (1_600, 1_200)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_uploaded_picture_keeps_colours_and_loses_its_camera(editor, client, kind):
    says, text = Image.Exif(), PngInfo()
    says[0x0112], says[0xA431] = 6, "SERIAL-4711"  # its left side is up
    text.add_text("Comment", "SERIAL-4711")
    taken = Image.new("RGB", (1200, 800))
    taken.paste("white", (0, 0, 600, 800))
    sent = BytesIO()
    taken.save(
        sent, kind, exif=says, xmp=b"<x:xmpmeta>SERIAL-4711</x:xmpmeta>", comment="SERIAL-4711", pnginfo=text,
        icc_profile=b"of its colours",
    )  # fmt: skip
    assert b"SERIAL-4711" in sent.getvalue()
    upload(editor, f"rome.{kind.lower()}", sent.getvalue())
    content, shown = served(client)
    assert b"SERIAL-4711" not in content
    assert not shown.getexif()
    assert shown.info["icc_profile"] == b"of its colours"
    assert shown.size == (800, 1200)
    assert [shown.convert("L").getpixel(at) > 128 for at in ((400, 100), (400, 1100))] == [True, False]


@pytest.mark.parametrize(("name", "content"), [("rome.png", PNG), ("rome.jpg", JPEG)])
def test_a_picture_that_breaks_off_is_refused(editor, name, content):
    response = upload(editor, name, content[: len(content) * 2 // 3])
    assert response.context["adminform"].form.errors["upload"] == [
        "This picture is damaged: parts of it are missing."
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rome.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
        ("rome.html", PNG),
        ("rome.jpg", PNG),
        ("rome.jpg", picture("GIF")),
        ("rome.jpg", b"\xff\xd8\xff\xe0\x00\x00"),
        ("rome.png", picture("PNG", width=599)),
        ("rome.png", picture("PNG", width=6_001, height=10)),
        ("rome.png", HUGE),
        ("rome.png", PNG + b"\0" * (2 * 1024 * 1024)),
        ("rome.png", b""),
    ],
)
def test_what_is_no_usable_picture_is_refused(editor, name, content):
    response = upload(editor, name, content)
    assert "upload" in response.context["adminform"].form.errors
    assert not FeaturedDestination.objects.exists()


def test_a_destination_without_its_picture_file_is_edited(editor):
    upload(editor, "rome.png", PNG)
    rome = FeaturedDestination.objects.get()
    Path(rome.upload.path).unlink()
    response = editor.post(
        f"/admin/search/featureddestination/{rome.pk}/change/",
        {"place": "Rome", "order": "0", "text": "Seven hills"},
    )
    assert response.status_code == 302
    assert store.current().featured[0].text == "Seven hills"
    assert store.current().featured[0].picture.startswith("/media/featured/")


def test_a_picture_is_chosen_from_the_hotels_of_the_place(editor):
    row = FeaturedDestination.objects.create(place="Barcelona")
    page = f"/admin/search/featureddestination/{row.pk}/pictures/"
    offered = editor.get(page).context["pictures"]
    assert len(offered) > 3
    editor.post(page, {"picture": offered[1]})
    assert store.current().featured[0].picture == offered[1]
    assert history_of(editor, "featureddestination", row) == [("picture_address", "", offered[1])]
    editor.post(page, {"picture": 'https://evil.example"/><script>'})
    assert store.current().featured[0].picture == offered[1]


def test_where_no_picture_is_chosen_the_one_there_is_stays(editor):
    there = "https://pictures.example/rome.jpg"
    row = FeaturedDestination.objects.create(place="Rome", picture_address=there)
    page = f"/admin/search/featureddestination/{row.pk}/pictures/"
    answer = editor.post(page, follow=True)
    assert answer.redirect_chain == [(page, 302)]
    assert "Choose one of the pictures." in answer.text
    assert store.current().featured[0].picture == there
