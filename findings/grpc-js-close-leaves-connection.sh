#!/usr/bin/env bash
# @grpc/grpc-js: close() of a client leaves its TCP connection open when the server never began to speak HTTP/2.
# Expected: after the deadline of the call and close(), the server sees the connection end.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @grpc/grpc-js@1.14.7
cat > run.cjs <<'JS'
const net = require('node:net');
const { Client, credentials } = require('@grpc/grpc-js');
const { version } = require('@grpc/grpc-js/package.json');
const open = new Set();
const server = net.createServer((socket) => {
  open.add(socket);
  socket.on('error', () => undefined);
  socket.resume().once('close', () => open.delete(socket));
});
server.listen(0, '127.0.0.1', () => {
  const client = new Client(`127.0.0.1:${server.address().port}`, credentials.createInsecure());
  const bytes = (value) => value;
  const options = { deadline: Date.now() + 1000 };
  client.makeUnaryRequest('/a/B', bytes, bytes, Buffer.alloc(0), options, (error) => {
    client.close();
    setTimeout(() => {
      console.log(`@grpc/grpc-js ${version}, Node ${process.version}: the call ended with code ${error.code};`);
      console.log(`3 s after close() the server has ${open.size} open connection(s)`);
      process.exit(open.size === 1 ? 0 : 1);
    }, 3000);
  });
});
JS
node run.cjs
