#!/usr/bin/env bash
# @asteasolutions/zod-to-openapi 9.1.0 with zod 4.6.7: a `type` given by `.openapi()` wins over a `.nullable()` that follows.
# Expected: the document allows null as zod does. Seen: it refuses null, unless `type` is left out.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @asteasolutions/zod-to-openapi@9.1.0 zod@4.6.7
cat >run.mjs <<'JS'
import { extendZodWithOpenApi, OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
extendZodWithOpenApi(z);
const schema = z.object({
  before: z.string().openapi({ type: 'string', format: 'date' }).nullable(),
  without: z.string().openapi({ format: 'date' }).nullable(),
});
console.log('zod takes null:', schema.safeParse({ before: null, without: null }).success);
const registry = new OpenAPIRegistry();
registry.register('Thing', schema);
const { components } = new OpenApiGeneratorV31(registry.definitions).generateComponents();
const { before, without } = components.schemas.Thing.properties;
console.log('type before nullable:', JSON.stringify(before.type));
console.log('no type:', JSON.stringify(without.type));
JS
seen="$(node run.mjs)"
echo "$seen"
expected='zod takes null: true
type before nullable: "string"
no type: ["string","null"]'
[ "$seen" = "$expected" ] || { echo 'the behaviour has changed' >&2; exit 1; }
