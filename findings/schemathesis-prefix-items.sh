#!/usr/bin/env bash
# Schemathesis 4.32.5 reads `prefixItems` of an answer in OpenAPI 3.1 as an `items` with a list, which is not valid there: a correct
# answer with a tuple is a "Schema Error". One would expect that it passes, as prefixItems is part of JSON Schema 2020-12.
set -euo pipefail
folder="$(mktemp -d)"
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet schemathesis==4.32.5
cat >openapi.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/pairs":{"get":{"responses":{"200":{"description":"ok","content":{
"application/json":{"schema":{"type":"array","items":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}]}}}}}}}}}}
JSON
cat >server.py <<'PY'
from http.server import BaseHTTPRequestHandler, HTTPServer
class Pairs(BaseHTTPRequestHandler):
    def do_GET(self):
        body = b'[[1,"a"],[2,"b"]]'
        self.send_response(200); self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *ignored): pass
server = HTTPServer(("127.0.0.1", 0), Pairs)
print(server.server_port, flush=True)
server.serve_forever()
PY
python3 server.py >port & server=$!
until [ -s port ]; do sleep 0.2; done
venv/bin/schemathesis --version
venv/bin/schemathesis run openapi.json --url "http://127.0.0.1:$(cat port)" --checks response_schema_conformance \
  --phases coverage --no-color >said 2>&1 || true
grep -E "Schema Error|is not of types" said | head -n 3
grep -q "Schema Error" said && echo "seen: a valid tuple is a Schema Error"
