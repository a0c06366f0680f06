#!/usr/bin/env bash
# pg 8.23.1 reads PGSSLMODE of the environment, and not PGSSLROOTCERT beside it (nor PGSSLCERT, PGSSLKEY).
# Expected: with PGSSLMODE=verify-full and PGSSLROOTCERT=ca.crt it accepts a server of that CA, as psql does.
# Seen: it refuses the certificate; only sslrootcert in the URL names a CA. sslmode=require in the URL is verified like verify-full, and
# psql does not verify it without a root certificate.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund pg@8.23.1
new=(openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2)
"${new[@]}" -subj /CN=ca -keyout ca.key -out ca.crt 2>/dev/null
"${new[@]}" -subj /CN=localhost -addext subjectAltName=DNS:localhost -CA ca.crt -CAkey ca.key -keyout own.key -out own.crt 2>/dev/null
cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
// The beginning of PostgreSQL's protocol: yes to TLS, the handshake, and a refusal after it.
const [key, cert] = [readFileSync('own.key'), readFileSync('own.crt')];
const refusal = Buffer.from('E\0\0\0\0SFATAL\0C28000\0Mthe certificate was accepted\0\0', 'latin1');
refusal.writeInt32BE(refusal.length - 1, 1);
const server = createServer((socket) =>
  socket.once('data', () => {
    socket.write('S');
    const secure = new TLSSocket(socket, { isServer: true, key, cert });
    secure.on('error', () => undefined).once('data', () => secure.end(refusal));
  }),
);
await new Promise((resolve) => server.listen(0, 'localhost', resolve));
const url = `postgres://user@localhost:${server.address().port}/database`;
async function tell(name, query) {
  const client = new pg.Client({ connectionString: url + query });
  client.on('error', () => undefined);
  console.log(`${name}: ${await client.connect().catch(({ code, message }) => (code === '28000' ? message : code))}`);
}
process.env.PGSSLMODE = 'verify-full';
process.env.PGSSLROOTCERT = 'ca.crt';
await tell('PGSSLMODE, PGSSLROOTCERT', '');
await tell('sslrootcert', '?sslmode=verify-full&sslrootcert=ca.crt');
delete process.env.PGSSLROOTCERT;
await tell('require', '?sslmode=require');
process.exit();
JS
seen="$(node --no-warnings run.mjs)"
echo "pg $(node -p "require('./node_modules/pg/package.json').version")"
echo "$seen"
expected='PGSSLMODE, PGSSLROOTCERT: UNABLE_TO_VERIFY_LEAF_SIGNATURE
sslrootcert: the certificate was accepted
require: UNABLE_TO_VERIFY_LEAF_SIGNATURE'
[ "$seen" = "$expected" ] || { echo 'the behaviour has changed' >&2; exit 1; }
