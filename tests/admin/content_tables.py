"""What tests of the admin's content tables share: a bulk action, the cells of a list, a row's history."""


def act(client, model, action, *rows):
    return client.post(
        f"/admin/search/{model}/",
        {"action": action, "_selected_action": [row.pk for row in rows]},
        follow=True,
    )


def history_of(client, model, row):
    return [
        tuple(change)
        for _entry, _label, change, _former in client.get(f"/admin/search/{model}/{row.pk}/history/").context[
            "lines"
        ]
    ]


def cells(client, model):
    """What the browser would post: every cell of the list as the page shows it."""
    page = client.get(f"/admin/search/{model}/")
    formset = page.context["cl"].formset
    values = {f"form-{name}": value for name, value in formset.management_form.initial.items()}
    for bound in (bound for form in formset for bound in form):
        shown = bound.value()
        values |= {bound.html_initial_name: shown} if bound.field.show_hidden_initial else {}
        values |= {} if shown is False else {bound.html_name: shown}
    assert [name for name in values if f'name="{name}"' not in page.text] == []
    return {**values, "_save": "Save"}
