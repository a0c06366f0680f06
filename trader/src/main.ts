#!/usr/bin/env node
// The program `curvekit-trade`: connects the command line to the process.
import { runCli } from './cli.js';

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
