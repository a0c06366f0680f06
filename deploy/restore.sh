#!/usr/bin/env bash
# Restores a dump of deploy/backup.sh into an empty database. docs/recover.md has the whole drill.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: DATABASE_URL=postgres://… deploy/restore.sh [--migrate | --no-check] FILE

Restores a dump of deploy/backup.sh into an empty database, all of it or nothing, and then runs `curvekit ledger check`.
Stop every instance before. The script refuses a database that has tables or connections, and a damaged dump.

  --migrate           first bring the tables to this version (`curvekit migrate-db`): the dump is of an earlier one
  --no-check          do not run `curvekit ledger check`, which refuses tables of another version

  DATABASE_URL        the empty database, as its owner; roles that had rights in the dumped one must exist
  DATABASE_URL_FILE   or a file with this URL
  CURVEKIT            the command `curvekit`; without it, that of this clone

Needs psql and pg_restore, not older than the pg_dump that made the dump.
Exit codes: 0 restored, 1 refused or failed, 2 invalid command line.
HELP
}
fail() {
  echo "restore: $1" >&2
  exit 1
}

migrate=no check=yes
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) usage && exit ;;
    --migrate) migrate=yes ;;
    --no-check) check=no ;;
    -*) usage >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done
[ $# = 1 ] && [ "$migrate$check" != yesno ] || { usage >&2 && exit 2; }
file=$1
. "$(dirname "${BASH_SOURCE[0]}")/database-url.sh"
for program in psql pg_restore; do
  command -v "$program" >/dev/null || fail "$program is not on PATH: install PostgreSQL's client programs"
done
[ -r "$file" ] || fail "$file: no such file, or it is not readable"
pg_restore --file=/dev/null "$file" || fail "$file cannot be read to its end: it is damaged, or no dump of backup.sh"

ask() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$url" --command="$1" ||
    fail 'the database does not answer: create it with createdb -O OWNER, and check DATABASE_URL'
}
name="$(ask 'select current_database()')"
tables="$(ask "select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')")"
[ "$tables" = 0 ] ||
  fail "the database $name has $tables tables, whose rows would be lost. As a role that may create databases, such as postgres:
  dropdb --force $name && createdb -O $(ask 'select quote_ident(current_user)') $name"
# On a busy machine the connections of the questions above take a moment to end.
for _ in 1 2 3 4 5 6; do
  others="$(ask 'select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = $$client backend$$')"
  [ "$others" != 0 ] || break
  sleep 0.5
done
[ "$others" = 0 ] || fail "the database $name has $others other connections: stop every instance, then try again"

pg_restore --single-transaction --exit-on-error --no-owner --dbname="$url" "$file" ||
  fail "pg_restore failed: the database $name is as empty as before"
echo "restore: $file is restored into $name"

curvekit() {
  # CURVEKIT may be a command with arguments.
  # shellcheck disable=SC2086
  DATABASE_URL="$whole_url" ${CURVEKIT:-node "$(dirname "${BASH_SOURCE[0]}")/../app/src/operator/curvekit.mjs"} "$@"
}
if [ "$migrate" = yes ]; then curvekit migrate-db || fail 'curvekit migrate-db failed'; fi
if [ "$check" = yes ]; then
  curvekit ledger check || fail 'curvekit ledger check failed (see above): start no instance before you know why'
fi
