
import django.core.validators
import search.site_settings.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='BlockedProperty',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(help_text="The hotel's identity across providers, or simply the address of its page on this site.", max_length=600, unique=True)),
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
                ('airport', models.CharField(blank=True, help_text='Distances are measured from it. Empty: none.', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}\\Z', 'An airport code has three capital letters, such as STN.')])),
                ('text', models.CharField(blank=True, help_text='One line beneath the title.', max_length=200)),
                ('order', models.SmallIntegerField(default=0, help_text='Smaller comes first.')),
                ('first_day', models.DateField(blank=True, help_text='The first day it is shown. Empty: at once.', null=True, verbose_name='from')),
                ('last_day', models.DateField(blank=True, help_text='The last day it is shown. Empty: no end.', null=True, verbose_name='until')),
                ('upload', models.FileField(blank=True, help_text='JPEG, PNG or WebP, 600 to 6000 pixels wide, at most 2 MB. Wins over an address.', upload_to='featured/', validators=[search.site_settings.fields.check_picture], verbose_name='uploaded picture')),
                ('picture_address', models.CharField(blank=True, help_text='The https address of a picture; “Choose a picture” fills in one of a hotel\'s.', max_length=500, validators=[search.site_settings.fields.check_picture_address])),
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
            ],
            options={
                'ordering': ['order', 'code'],
            },
        ),
        migrations.CreateModel(
            name='CodeLabel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('property_type', 'kind of property'), ('rating', 'guest rating in words'), ('facility', 'facility'), ('availability', 'where a facility is'), ('payment_mode', 'way to pay'), ('promo_type', 'promotion'), ('surcharge', 'surcharge')], max_length=20)),
                ('code', models.CharField(help_text='As the gateway spells it.', max_length=80)),
                ('label', models.CharField(help_text='What visitors read instead.', max_length=80)),
            ],
            options={
                'ordering': ['kind', 'code'],
                'constraints': [models.UniqueConstraint(fields=('kind', 'code'), name='one_label_per_code')],
            },
        ),
        migrations.CreateModel(
            name='SiteSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('site_name', models.CharField(default='Hotel search', help_text='Shown in the header, in every page title and in link previews.', max_length=60, verbose_name='site name')),
                ('contact_email', models.EmailField(blank=True, default='', help_text='Shown in the footer and on error pages as a mail link. Empty: no link.', max_length=254, verbose_name='contact address')),
                ('contact_text', models.TextField(blank=True, default='', help_text='A line or two in the footer: who runs the site, when somebody answers.', validators=[django.core.validators.MaxLengthValidator(500)], verbose_name='contact text')),
                ('banner_text', models.CharField(blank=True, default='', help_text='A message above every page. Empty: no banner.', max_length=300, verbose_name='banner')),
                ('banner_until', models.DateField(blank=True, default=None, help_text='The last day the banner is shown. Empty: until you take it down.', null=True, verbose_name='banner until')),
                ('default_market', models.CharField(default='en-gb', help_text='Language and country for visitors who chose none, such as en-gb: the words, the number format and which offers providers return.', max_length=5, validators=[search.site_settings.fields.known_market], verbose_name='default market')),
                ('markets', search.site_settings.fields.WordsField(default=('en-gb', 'en-ie', 'en-us', 'de-de', 'es-es', 'fr-fr', 'it-it', 'pl-pl', 'pt-pt'), help_text='What visitors can choose, in this order, with spaces between: en-gb de-de pl-pl.', validators=[django.core.validators.MaxLengthValidator(60), search.site_settings.fields.each_market], verbose_name='offered markets')),
                ('default_currency', models.CharField(default='EUR', help_text='Prices are in this currency until a visitor chooses another.', max_length=3, validators=[search.site_settings.fields.known_currency], verbose_name='default currency')),
                ('currencies', search.site_settings.fields.WordsField(default=('EUR', 'GBP', 'USD', 'CHF', 'PLN', 'SEK', 'DKK', 'NOK', 'CZK', 'HUF', 'RON', 'MAD', 'JPY'), help_text='What visitors can choose, in this order, with spaces between: EUR GBP USD.', validators=[django.core.validators.MaxLengthValidator(60), search.site_settings.fields.each_currency], verbose_name='offered currencies')),
                ('nights_ahead', models.PositiveIntegerField(default=14, help_text='The check-in day filled into an empty form: this many days from today.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(365)], verbose_name='days ahead')),
                ('nights', models.PositiveIntegerField(default=2, help_text='The length of stay filled into an empty form.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(27)], verbose_name='nights')),
                ('guests', models.PositiveIntegerField(default=2, help_text='The party filled into an empty form.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)], verbose_name='guests')),
                ('max_guests', models.PositiveIntegerField(default=8, help_text='The largest party the form offers; larger ones are refused.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)], verbose_name='most guests')),
                ('page_size', models.PositiveIntegerField(default=20, help_text='Cards on one page of results. More means slower pages.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)], verbose_name='hotels per page')),
                ('cap', models.PositiveIntegerField(default=600, help_text='Sorting and filtering reach this many hotels of an answer; the page says when there are more.', validators=[django.core.validators.MinValueValidator(20), django.core.validators.MaxValueValidator(5000)], verbose_name='hotels compared at most')),
                ('parallel_calls', models.PositiveIntegerField(default=4, help_text='Pages of an answer fetched side by side. More is quicker for one visitor, harder on the gateway.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(8)], verbose_name='calls at once')),
                ('search_fresh_seconds', models.PositiveIntegerField(default=300, help_text='Within this time the same search shows the same prices without asking again. 0: always ask.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(86400)], verbose_name='prices are fresh for (seconds)')),
                ('details_fresh_seconds', models.PositiveIntegerField(default=3600, help_text='The same for the descriptions and rooms of a hotel. 0: always ask.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(604800)], verbose_name='descriptions are fresh for (seconds)')),
                ('airports_fresh_seconds', models.PositiveIntegerField(default=86400, help_text='The same for the list of airports behind the destination field. 0: always ask.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(2592000)], verbose_name='airports are fresh for (seconds)')),
                ('surcharge_mode', models.CharField(choices=[('added', "come on top of the gateway's price"), ('included', "are inside the gateway's price")], default='added', help_text='Decides the total on every card: on top never promises too low a price.', max_length=8, verbose_name='taxes and fees')),
                ('price_basis', models.CharField(choices=[('stay', 'for the whole stay'), ('night', 'for one night')], default='stay', help_text='For one night: totals are multiplied by the nights of the stay.', max_length=5, verbose_name="the gateway's price is")),
                ('categories_style', models.CharField(choices=[('comma', 'one parameter, commas between (4,5)'), ('repeat', 'the parameter repeated'), ('each', 'one call for each star rating')], default='comma', help_text='How the gateway wants to be asked; the wrong way finds too few hotels of several stars.', max_length=6, verbose_name='several star ratings')),
                ('rating_scale', models.PositiveSmallIntegerField(blank=True, choices=[(5, 'out of 5'), (10, 'out of 10'), (100, 'out of 100')], default=None, help_text='Shown behind the number, such as 8.4/10. Empty: the bare number.', null=True, verbose_name='guest rating scale')),
                ('sorts', search.site_settings.fields.WordsField(default=('price', 'rating', 'stars', 'distance', 'provider'), help_text='The choices beside “Sort by”.', verbose_name='offered orders')),
                ('default_sort', models.CharField(choices=[('price', 'Lowest total'), ('rating', 'Highest guest rating'), ('stars', 'Most stars'), ('distance', 'Nearest'), ('provider', 'Provider order')], default='price', help_text='The order of results until a visitor chooses another.', max_length=10, verbose_name='default order')),
                ('filters', search.site_settings.fields.WordsField(blank=True, default=('max_price', 'min_rating', 'stars', 'type', 'facility', 'provider', 'free_cancellation', 'pay_later', 'deals', 'name', 'max_km', 'bbox'), help_text='The groups of the filter panel.', verbose_name='offered filters')),
                ('map_enabled', models.BooleanField(default=True, help_text='The map beside results and on hotel pages.', verbose_name='map')),
                ('compare_enabled', models.BooleanField(default=True, help_text='Picking hotels and looking at them side by side.', verbose_name='compare')),
                ('date_strip_enabled', models.BooleanField(default=True, help_text='Totals a few days earlier and later, on request.', verbose_name='nearby dates')),
                ('sharing_enabled', models.BooleanField(default=True, help_text='The share button for staff. Off: links made earlier stop opening until it is on again.', verbose_name='sharing')),
                ('export_enabled', models.BooleanField(default=True, help_text='The download of a result list as a table, for staff.', verbose_name='export')),
                ('share_days', models.PositiveIntegerField(default=90, help_text='A link ends after this time, or on its check-in day.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(365)], verbose_name='links live for (days)')),
                ('content_revision', models.PositiveIntegerField(default=0, editable=False)),
            ],
            options={
                'verbose_name_plural': 'site settings',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='one_settings_row')],
            },
        ),
    ]
