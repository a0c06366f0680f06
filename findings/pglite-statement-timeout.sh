#!/usr/bin/env bash
# @electric-sql/pglite 0.5.8: `statement_timeout` is accepted and shown, and no statement is ever cancelled by it.
# Expected: "canceling statement due to statement timeout" (57014) after 100 ms, as in the PostgreSQL 18 that it is.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @electric-sql/pglite@0.5.8
cat >run.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';
const database = await PGlite.create();
const [{ server_version }] = (await database.query('show server_version')).rows;
await database.exec("set statement_timeout = '100ms'");
const [{ statement_timeout }] = (await database.query('show statement_timeout')).rows;
console.log(`PostgreSQL ${server_version}, statement_timeout ${statement_timeout}`);
const started = performance.now();
const ended = await database.query('select pg_sleep(1)').then(() => 'finished', ({ code }) => `failed with ${code}`);
console.log(`a statement of a second has ${ended}, after ${performance.now() - started >= 1_000 ? 'its second' : 'less'}`);
JS
seen="$(node run.mjs)"
echo "$seen"
expected='PostgreSQL 18.3, statement_timeout 100ms
a statement of a second has finished, after its second'
[ "$seen" = "$expected" ] || { echo 'the behaviour has changed' >&2; exit 1; }
