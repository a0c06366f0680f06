#!/usr/bin/env bash
# @electric-sql/pglite 0.5.8: the JavaScript type of an int8 depends on its value: a number up to 2^53 - 1, a BigInt above. So a sum is a
# TypeError, and JSON.stringify throws, from the first large row on. Expected: one type, as pg gives (a text).
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @electric-sql/pglite@0.5.8
cat >run.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';
const database = await PGlite.create();
const { rows } = await database.query('select amount from unnest(array[9007199254740991, 9007199254740992]) as amount');
console.log('types of one column:', rows.map(({ amount }) => typeof amount).join(', '));
const nameOf = (work) => { try { return typeof work(); } catch ({ name }) { return name; } };
console.log('their sum:', nameOf(() => rows[0].amount + rows[1].amount));
console.log('the rows as JSON:', nameOf(() => JSON.stringify(rows)));
JS
seen="$(node run.mjs)"
echo "$seen"
expected='types of one column: number, bigint
their sum: TypeError
the rows as JSON: TypeError'
[ "$seen" = "$expected" ] || { echo 'the behaviour has changed' >&2; exit 1; }
