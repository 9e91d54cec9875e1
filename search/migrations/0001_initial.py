"""The tables."""

import django.core.validators
import django.db.models.deletion
import search.site_settings.models
from django.conf import settings
from django.db import migrations, models

class Migration(migrations.Migration):
    initial = True
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name='BlockedProperty',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(help_text="The hotel's identity across providers, or simply the address of its page on this site.", max_length=600, unique=True)),
                ('other_keys', models.JSONField(blank=True, editable=False, null=True, verbose_name='also known as')),
                ('name', models.CharField(blank=True, help_text='For this list only.', max_length=200)),
                ('reason', models.TextField(help_text='For colleagues; visitors never read it.')),
                ('until', models.DateField(blank=True, help_text='The last day it is hidden. Empty: for good.', null=True)),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='since')),
            ],
            options={
                'verbose_name_plural': 'blocked properties',
                'ordering': ['-created'],
            },
        ),
        migrations.CreateModel(
            name='DestinationOverride',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('airport', models.CharField(help_text='IATA code, such as LPA.', max_length=3, unique=True, validators=[django.core.validators.RegexValidator('^[A-Z]{3}\\Z', 'An airport code has three capital letters, such as STN.')])),
                ('place', models.CharField(blank=True, help_text='What is searched when a visitor picks this airport. Empty: its city.', max_length=120)),
                ('search_words', models.CharField(blank=True, help_text='More names that find it, with commas between: former ones, other languages.', max_length=200)),
                ('hidden', models.BooleanField(default=False, help_text='On: the destination field never suggests it.')),
            ],
            options={
                'verbose_name': 'airport correction',
                'verbose_name_plural': 'airport corrections',
                'ordering': ['airport'],
            },
        ),
        migrations.CreateModel(
            name='FeaturedDestination',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.CharField(help_text='What is searched, and the title of its tile.', max_length=120)),
                ('airport', models.CharField(blank=True, help_text='Distances are measured from it. Empty: from the centre of the place.', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}\\Z', 'An airport code has three capital letters, such as STN.')])),
                ('text', models.CharField(blank=True, help_text='One line beneath the title.', max_length=200)),
                ('order', models.SmallIntegerField(default=0, help_text='Smaller comes first.')),
                ('first_day', models.DateField(blank=True, help_text='The first day it is shown. Empty: at once.', null=True, verbose_name='from')),
                ('last_day', models.DateField(blank=True, help_text='The last day it is shown. Empty: no end.', null=True, verbose_name='until')),
                ('upload', models.FileField(blank=True, help_text='JPEG, PNG or WebP, 600 to 6000 pixels wide, at most 2 MB. Wins over an address.', upload_to='featured/', validators=[search.site_settings.models.check_picture], verbose_name='uploaded picture')),
                ('picture_address', models.CharField(blank=True, help_text="The https address of a picture; “Choose a picture” fills in one of a hotel's.", max_length=500, validators=[search.site_settings.models.check_picture_address])),
            ],
            options={
                'ordering': ['order', 'place'],
            },
        ),
        migrations.CreateModel(
            name='Provider',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(help_text='As the gateway spells it, capitals included.', max_length=40, unique=True)),
                ('label', models.CharField(blank=True, help_text='What visitors read. Empty: the code.', max_length=60)),
                ('order', models.SmallIntegerField(default=0, help_text='Smaller comes first where providers are listed.')),
                ('enabled', models.BooleanField(default=True, help_text='Off: none of its offers are shown anywhere.')),
                ('address_template', models.CharField(blank=True, db_default='', default='', help_text='Where “Go to …” leads, such as https://www.example.com/hotel/{property}?from={checkin}&to={checkout}. Placeholders: {property}, {checkin}, {checkout}, {nights}, {guests}, {currency}, {language}, {place}. Empty: visitors copy the facts or ask the contact address to book.', max_length=500, validators=[search.site_settings.models.check_address_template])),
            ],
            options={
                'ordering': ['order', 'code'],
            },
        ),
        migrations.CreateModel(
            name='CodeLabel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('property_type', 'kind of property'), ('rating', 'guest rating in words'), ('facility', 'facility'), ('payment_mode', 'way to pay'), ('promo_type', 'promotion'), ('surcharge', 'surcharge')], max_length=20)),
                ('code', models.CharField(help_text='As the gateway spells it.', max_length=80)),
                ('label', models.CharField(help_text='What visitors read instead.', max_length=80)),
            ],
            options={
                'ordering': ['kind', 'code'],
                'constraints': [models.UniqueConstraint(fields=('kind', 'code'), name='one_label_per_code')],
            },
        ),
        migrations.CreateModel(
            name='HandOverCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=40)),
                ('day', models.DateField()),
                ('count', models.PositiveIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'hand-over',
                'ordering': ['-day', 'provider'],
                'constraints': [models.UniqueConstraint(fields=('day', 'provider'), name='one_count_per_day')],
            },
        ),
        migrations.CreateModel(
            name='SharedLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(editable=False, max_length=16, unique=True, verbose_name='code')),
                ('kind', models.CharField(choices=[('results', 'page of results'), ('property', 'one property'), ('picks', 'picked by hand')], max_length=10, verbose_name='what')),
                ('search', models.TextField(verbose_name='search')),
                ('refinement', models.TextField(blank=True, verbose_name='order and filters')),
                ('page', models.PositiveIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='page')),
                ('snapshot', models.JSONField(blank=True, default=list, verbose_name='as it was shown')),
                ('place', models.CharField(blank=True, max_length=200, verbose_name='place')),
                ('check_in', models.DateField(verbose_name='check-in')),
                ('title', models.CharField(blank=True, max_length=120, verbose_name='title')),
                ('note', models.TextField(blank=True, max_length=1000, verbose_name='note to the client')),
                ('label', models.CharField(blank=True, max_length=80, verbose_name='internal label')),
                ('shared_at', models.DateTimeField(db_index=True, verbose_name='shared')),
                ('expires', models.DateField(verbose_name='last day')),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked')),
                ('digest', models.CharField(blank=True, editable=False, max_length=64)),
                ('opens', models.PositiveIntegerField(default=0, editable=False, verbose_name='opens, about')),
                ('first_opened_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='first opened')),
                ('last_opened_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='last opened')),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='shared_links', to=settings.AUTH_USER_MODEL, verbose_name='shared by')),
            ],
            options={
                'verbose_name': 'shared link',
                'verbose_name_plural': 'shared links',
                'ordering': ['-shared_at', '-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('digest', ''), _negated=True), fields=('owner', 'digest'), name='one_live_link_per_content')],
            },
        ),
        migrations.CreateModel(
            name='LinkOpens',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('opens', models.PositiveIntegerField(default=1)),
                ('link', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='daily', to='search.sharedlink')),
            ],
            options={
                'verbose_name': 'opens of one day',
                'verbose_name_plural': 'opens by day',
                'constraints': [models.UniqueConstraint(fields=('link', 'day'), name='one_count_per_link_and_day')],
            },
        ),
        migrations.CreateModel(
            name='SiteSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content_revision', models.PositiveIntegerField(default=0, editable=False)),
                ('site_name', models.CharField(db_default='Hotel search', default='Hotel search', help_text='Shown in the header, in every page title and in link previews.', max_length=60, verbose_name='site name')),
                ('contact_email', models.EmailField(blank=True, db_default='', default='', help_text='Shown in the footer and on error pages as a mail link. Empty: no link.', max_length=254, validators=[django.core.validators.RegexValidator('^(|[^@\\s<>]+@[^@\\s<>]+)\\Z', None)], verbose_name='contact address')),
                ('contact_text', models.TextField(blank=True, db_default='', default='', help_text='A line or two in the footer: who runs the site, when somebody answers.', validators=[django.core.validators.MaxLengthValidator(500)], verbose_name='contact text')),
                ('imprint_address', models.CharField(blank=True, db_default='', default='', help_text="The footer's link to it: an https address or a path, such as /imprint. Empty: no link.", max_length=500, validators=[django.core.validators.RegexValidator('^(|/[^/\\\\\\s]\\S*|https://[^\\s/?#]+\\S*)\\Z', 'Give an https address or a path such as /imprint.')], verbose_name='imprint')),
                ('privacy_address', models.CharField(blank=True, db_default='', default='', help_text='The same for the privacy policy.', max_length=500, validators=[django.core.validators.RegexValidator('^(|/[^/\\\\\\s]\\S*|https://[^\\s/?#]+\\S*)\\Z', 'Give an https address or a path such as /imprint.')], verbose_name='privacy policy')),
                ('accessibility_address', models.CharField(blank=True, db_default='', default='', help_text='The same for the accessibility statement.', max_length=500, validators=[django.core.validators.RegexValidator('^(|/[^/\\\\\\s]\\S*|https://[^\\s/?#]+\\S*)\\Z', 'Give an https address or a path such as /imprint.')], verbose_name='accessibility statement')),
                ('banner_text', models.CharField(blank=True, db_default='', default='', help_text='A message above every page. Empty: no banner.', max_length=300, verbose_name='banner')),
                ('banner_until', models.DateField(blank=True, default=None, help_text='The last day the banner is shown. Empty: until you take it down.', null=True, verbose_name='banner until')),
                ('default_market', models.CharField(choices=search.site_settings.models.markets, db_default='en-gb', default='en-gb', help_text='Language and country for visitors who chose none, such as en-gb: the words, the number format and which offers providers return.', max_length=5, verbose_name='default market')),
                ('markets', search.site_settings.models.WordsField(choices=search.site_settings.models.markets, db_default='en-gb en-ie en-us de-de es-es fr-fr it-it pl-pl pt-pt', default=('en-gb', 'en-ie', 'en-us', 'de-de', 'es-es', 'fr-fr', 'it-it', 'pl-pl', 'pt-pt'), help_text='What visitors can choose, in this order; newly chosen ones come last.', validators=[django.core.validators.MaxLengthValidator(60)], verbose_name='offered markets')),
                ('default_currency', models.CharField(blank=True, choices=search.site_settings.models.default_currencies, db_default='', default='', help_text="Prices are in this currency until a visitor chooses another. Empty: that of the visitor's country.", max_length=3, verbose_name='default currency')),
                ('currencies', search.site_settings.models.WordsField(choices=search.site_settings.models.currencies, db_default='EUR GBP USD CHF PLN SEK DKK NOK CZK HUF RON MAD JPY', default=('EUR', 'GBP', 'USD', 'CHF', 'PLN', 'SEK', 'DKK', 'NOK', 'CZK', 'HUF', 'RON', 'MAD', 'JPY'), help_text='What visitors can choose, in this order; newly chosen ones come last.', validators=[django.core.validators.MaxLengthValidator(60)], verbose_name='offered currencies')),
                ('nights_ahead', models.PositiveIntegerField(db_default=14, default=14, help_text='The check-in day filled into an empty form: this many days from today.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(365)], verbose_name='days ahead')),
                ('nights', models.PositiveIntegerField(db_default=2, default=2, help_text='The length of stay filled into an empty form.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(27)], verbose_name='nights')),
                ('guests', models.PositiveIntegerField(db_default=2, default=2, help_text='The party filled into an empty form.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)], verbose_name='guests')),
                ('max_guests', models.PositiveIntegerField(db_default=8, default=8, help_text='The largest party the form offers; larger ones are refused.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)], verbose_name='most guests')),
                ('page_size', models.PositiveIntegerField(db_default=20, default=20, help_text='Cards on one page of results. More means slower pages.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)], verbose_name='hotels per page')),
                ('cap', models.PositiveIntegerField(db_default=600, default=600, help_text='Sorting and filtering reach this many hotels of an answer; the page says when there are more.', validators=[django.core.validators.MinValueValidator(20), django.core.validators.MaxValueValidator(5000)], verbose_name='hotels compared at most')),
                ('compare_all_limit', models.PositiveIntegerField(db_default=3000, default=3000, help_text='How far “Compare all” reaches, a button where there are more hotels than are compared. It fetches them behind pages, two searches at a time. 0: no button.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(5000)], verbose_name='hotels compared on request at most')),
                ('parallel_calls', models.PositiveIntegerField(db_default=4, default=4, help_text='Pages of an answer fetched side by side. More is quicker for one visitor, harder on the gateway.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(8)], verbose_name='calls at once')),
                ('sorts', search.site_settings.models.WordsField(choices=[('price', 'Lowest total'), ('rating', 'Highest guest rating'), ('stars', 'Most stars'), ('distance', 'Nearest'), ('tradeoffs', 'Best trade-offs'), ('provider', 'Provider order')], db_default='price rating stars distance tradeoffs provider', default=('price', 'rating', 'stars', 'distance', 'tradeoffs', 'provider'), help_text='The choices beside “Sort by”.', verbose_name='offered orders')),
                ('default_sort', models.CharField(choices=[('price', 'Lowest total'), ('rating', 'Highest guest rating'), ('stars', 'Most stars'), ('distance', 'Nearest'), ('tradeoffs', 'Best trade-offs'), ('provider', 'Provider order')], db_default='price', default='price', help_text='The order of results until a visitor chooses another.', max_length=10, verbose_name='default order')),
                ('filters', search.site_settings.models.WordsField(blank=True, choices=[('max_price', 'Highest total'), ('min_rating', 'Lowest guest rating'), ('stars', 'Stars'), ('type', 'Kind of property'), ('facility', 'Facilities'), ('provider', 'Providers'), ('free_cancellation', 'Free cancellation'), ('pay_later', 'Pay later'), ('deals', 'Discounted'), ('name', 'Name'), ('max_km', 'Distance from the centre or the airport'), ('bbox', 'Map area')], db_default='max_price min_rating stars type facility provider free_cancellation pay_later deals name max_km bbox', default=('max_price', 'min_rating', 'stars', 'type', 'facility', 'provider', 'free_cancellation', 'pay_later', 'deals', 'name', 'max_km', 'bbox'), help_text='The groups of the filter panel.', verbose_name='offered filters')),
                ('map_enabled', models.BooleanField(db_default=True, default=True, help_text='The map beside results and on hotel pages.', verbose_name='map')),
                ('compare_enabled', models.BooleanField(db_default=True, default=True, help_text='Picking hotels and looking at them side by side.', verbose_name='compare')),
                ('date_strip_enabled', models.BooleanField(db_default=True, default=True, help_text='What a stay costs on other days, weekends and in a month, on request.', verbose_name='cheapest dates')),
                ('built_in_places', search.site_settings.models.WordsField(blank=True, choices=[('Barcelona', 'Barcelona'), ('Lisbon', 'Lisbon'), ('Rome', 'Rome'), ('Kraków', 'Kraków'), ('Paris', 'Paris'), ('Dublin', 'Dublin'), ('Athens', 'Athens'), ('Prague', 'Prague')], db_default='Barcelona Lisbon Rome Kraków Paris Dublin Athens Prague', default=('Barcelona', 'Lisbon', 'Rome', 'Kraków', 'Paris', 'Dublin', 'Athens', 'Prague'), help_text='Cities on the home page after those that are featured.', verbose_name='built-in places')),
                ('export_enabled', models.BooleanField(db_default=True, default=True, help_text='The download of a result list as a table, for staff.', verbose_name='export')),
                ('sharing_enabled', models.BooleanField(db_default=True, default=True, help_text='The share button for staff. Off: links made earlier stop opening until it is on again, and there is no export.', verbose_name='sharing')),
                ('sender_shown', models.BooleanField(db_default=True, default=True, help_text='On: shared links name who made them, by first and last name, and replies go to them.', verbose_name='name of the sender')),
                ('share_days', models.PositiveIntegerField(db_default=90, default=90, help_text='A link ends after this time, or on its check-in day.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(365)], verbose_name='links live for (days)')),
                ('surcharge_mode', models.CharField(choices=[('added', "come on top of the gateway's price"), ('included', "are inside the gateway's price")], db_default='added', default='added', help_text='Decides the total on every card: on top never promises too low a price.', max_length=8, verbose_name='taxes and fees')),
                ('price_basis', models.CharField(choices=[('stay', 'for the whole stay'), ('night', 'for one night')], db_default='stay', default='stay', help_text='For one night: totals are multiplied by the nights of the stay.', max_length=5, verbose_name="the gateway's price is")),
                ('categories_style', models.CharField(choices=[('comma', 'one parameter, commas between (4,5)'), ('repeat', 'the parameter repeated'), ('each', 'one call for each star rating')], db_default='comma', default='comma', help_text='How the gateway wants to be asked; the wrong way finds too few hotels of several stars.', max_length=6, verbose_name='several star ratings')),
                ('place_name_language', models.CharField(choices=[('english', 'English (Munich)'), ('local', 'the language of their country (München)'), ('market', "the visitor's language")], db_default='english', default='english', help_text='Where the gateway knows another name, a search finds nothing.', max_length=7, verbose_name='places are asked for in')),
                ('sold_out_errors', models.BooleanField(db_default=False, default=False, help_text='On: an error (400 or 404) that says there are no rooms, or an empty object, is nothing found for these dates.', verbose_name='sold out may come as an error')),
                ('rating_scale', models.PositiveSmallIntegerField(blank=True, choices=[(5, 'out of 5'), (10, 'out of 10'), (100, 'out of 100')], default=None, help_text='Shown behind the number, such as 8.4/10. Empty: the bare number.', null=True, verbose_name='guest rating scale')),
                ('search_fresh_seconds', models.PositiveIntegerField(db_default=300, default=300, help_text='Within this time the same search shows the same prices without asking again. 0: always ask.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(86400)], verbose_name='prices are fresh for')),
                ('details_fresh_seconds', models.PositiveIntegerField(db_default=3600, default=3600, help_text='The same for the descriptions and rooms of a hotel. 0: always ask.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(604800)], verbose_name='descriptions are fresh for')),
                ('airports_fresh_seconds', models.PositiveIntegerField(db_default=86400, default=86400, help_text='The same for the list of airports behind the destination field. 0: always ask.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(2592000)], verbose_name='airports are fresh for')),
            ],
            options={
                'verbose_name_plural': 'site settings',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='one_settings_row')],
            },
        ),
    ]
