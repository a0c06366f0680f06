#!/usr/bin/env node
// The program `curvekit-trade`: connects the command line to the process.
import * as http from 'node:http';
import { runCli } from './cli.js';
import { EXIT } from './errors.js';

useProxy();

const stopping = new AbortController();
const closing = new AbortController();
// A second Ctrl-C ends the process at once.
process.once('SIGINT', () => stopping.abort(new Error('stopped by Ctrl-C')));
process.once('SIGTERM', () => stopping.abort(new Error('stopped by SIGTERM')));
// The reader of a pipe, such as `head`, has ended. A trade continues: its signature is on standard error.
process.stdout.on('error', () => closing.abort());

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  stopped: stopping.signal,
  outputClosed: closing.signal,
});

// Write all results, then exit: an open resource, such as a reconnecting websocket, must not keep the process alive.
const written = [process.stdout, process.stderr].map(
  (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
);
await Promise.all(written);
process.exit(code);

/** Requests go through the proxy of HTTPS_PROXY and HTTP_PROXY. Older versions of Node.js read them at their start alone. */
function useProxy(): void {
  const { setGlobalProxyFromEnv } = http as { readonly setGlobalProxyFromEnv?: () => unknown };
  const named = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((name) => process.env[name]);
  if (named === undefined || process.env['NODE_USE_ENV_PROXY']) return;
  if (setGlobalProxyFromEnv === undefined) {
    process.stderr.write(
      `${named} is not used by Node.js ${process.version}: set NODE_USE_ENV_PROXY=1 (Node.js 22.21), or use Node.js 24.14\n`,
    );
    return;
  }
  try {
    setGlobalProxyFromEnv();
    process.env['NODE_USE_ENV_PROXY'] = '1';
  } catch {
    process.stderr.write(`curvekit-trade: ${named} is not a URL such as http://proxy.example.com:8080\n`);
    process.exit(EXIT.usage);
  }
}
