# For backup.sh and restore.sh, which have `fail`: `whole_url` is DATABASE_URL, or what DATABASE_URL_FILE has. `url` is the same without the
# password, which goes into the environment: every user of the machine can read the arguments of a process.
whole_url="${DATABASE_URL:-}"
if [ -z "$whole_url" ] && [ -n "${DATABASE_URL_FILE:-}" ]; then whole_url="$(cat "$DATABASE_URL_FILE")"; fi
[ -n "$whole_url" ] || fail 'DATABASE_URL is not set: set it to postgres://USER:PASSWORD@HOST:PORT/DATABASE'
url=$whole_url
if [[ $url =~ ^(postgres(ql)?://[^:/@]+):([^@]*)@(.*)$ ]]; then
  PGPASSWORD="$(printf '%b' "${BASH_REMATCH[3]//%/\\x}")"
  export PGPASSWORD
  url="${BASH_REMATCH[1]}@${BASH_REMATCH[4]}"
fi
