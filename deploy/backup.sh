#!/usr/bin/env bash
# Dumps the database of the service, also while it runs. docs/recover.md says when and what for.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: DATABASE_URL=postgres://… deploy/backup.sh FILE

Writes a dump of the database to FILE, in pg_dump's custom format, readable by this user only. The service may run
meanwhile. FILE appears only when the dump is complete: the script reads it to its end before.

  DATABASE_URL        the database; a role that may read every table, such as the owner
  DATABASE_URL_FILE   or a file with this URL

Needs pg_dump and pg_restore, not older than the server. Restore with deploy/restore.sh.
HELP
}
fail() {
  echo "backup: $1" >&2
  exit 1
}

case "${1:-}" in
  -h | --help) usage && exit ;;
  -*) usage >&2 && exit 2 ;;
esac
[ $# = 1 ] || { usage >&2 && exit 2; }
file=$1
. "$(dirname "${BASH_SOURCE[0]}")/database-url.sh"
for program in pg_dump pg_restore; do
  command -v "$program" >/dev/null || fail "$program is not on PATH: install PostgreSQL's client programs"
done
[ ! -e "$file" ] || fail "$file exists: name another file"

umask 077
part="$file.part"
trap 'rm -f "$part"' EXIT
pg_dump --format=custom --file="$part" "$url" || fail 'pg_dump failed: there is no backup'

# Reads all of it: a dump that was cut off, or is damaged, cannot be read to its end.
pg_restore --file=/dev/null "$part" || fail 'the dump cannot be read to its end: there is no backup'
contents="$(pg_restore --list "$part")"
for table in ledger_entries ledger_accounts claims partners database_versions; do
  grep -q " TABLE DATA public $table " <<<"$contents" ||
    fail "the dump lacks the table $table: is this the database of the service, and does $(basename "$0") run as its owner?"
done

mv "$part" "$file"
echo "backup: $file has $(grep -c ' TABLE DATA ' <<<"$contents") tables, $(wc -c <"$file") bytes"
