#!/usr/bin/env bash
# Puts one version of the site in place, as root: deploy/release.sh REPOSITORY VERSION [PLACE]
# PLACE, a city that the gateway has hotels in, is what the gateway is asked for.
# The version before goes on running until `systemctl restart hotels`.
set -euo pipefail

repository=$1 version=$2 place=${3:-Barcelona}
release=/srv/hotels/releases/$version

[ -d "$release" ] || git -c advice.detachedHead=false clone --quiet --depth 1 --branch "$version" "$repository" "$release"
cd "$release"
# Debian's own: another one first on root's path may be out of reach for the user that runs the site.
[ -x .venv/bin/pip ] || /usr/bin/python3 -m venv .venv
.venv/bin/pip install --quiet --require-hashes -r requirements.txt
ln -sfn /var/lib/hotels var
ln -sfn /etc/hotels/hotels.env .env

as_hotels() { runuser -u hotels -- .venv/bin/python manage.py "$@"; }
as_hotels check --deploy --fail-level WARNING
# Migrations only add, so that the version that still runs can go on, or come back.
as_hotels migrate --noinput
# Not before: without its columns this version can't read the site's settings, and would ask as no visitor does.
as_hotels check_gateway --place "$place"
# Without clear: pages that are open somewhere still ask for the files of the version before.
as_hotels collectstatic --noinput --verbosity 0
ln -sfn "$release" /srv/hotels/current
