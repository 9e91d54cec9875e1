"""The admin's first page: the site's own matters first, how accounts are kept last. The way in and out."""


def test_the_site_comes_first_and_accounts_come_last(boss):
    apps = boss.get("/admin/").context["app_list"]
    assert [app["name"] for app in apps] == ["Hotel search", "Changes", "Accounts", "Sign-in protection"]
    models = [model["object_name"] for model in apps[0]["models"]]
    assert models[:3] == ["SiteSettings", "Provider", "HandOverCount"]


def test_each_role_sees_what_is_its_own(editor, sharer):
    def shown(client):
        apps = client.get("/admin/").context["app_list"]
        return {app["name"]: [model["object_name"] for model in app["models"]] for app in apps}

    assert shown(sharer) == {"Hotel search": ["SharedLink"]}
    assert "SharedLink" not in shown(editor)["Hotel search"]
    assert set(shown(editor)) == {"Hotel search", "Changes"}


def test_signing_in_and_out_name_the_site_as_every_page_does(client, boss):
    for page, title in ((client.get("/admin/login/"), "Log in"), (boss.post("/admin/logout/"), "Logged out")):
        html = page.content.decode()
        assert f"<title>{title} | Hotel search</title>" in html
        assert "> Hotel search <span" in html
