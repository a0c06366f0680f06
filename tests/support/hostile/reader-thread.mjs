// An ordinary client on its own thread: it reads pages and APIs at a steady rate, and measures every answer. It does not wait
// for an answer before the next request, so that a service that stops is seen.
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setInterval } from 'node:timers';
import { parentPort, workerData } from 'node:worker_threads';

const { url, paths, everyMs, addresses } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let sent = 0;

function read() {
  const path = paths[sent % paths.length];
  const from = `203.0.113.${(sent % addresses) + 1}`;
  sent += 1;
  const at = performance.now();
  const done = (status) => parentPort.postMessage({ status, ms: performance.now() - at });
  const headers = { 'X-Forwarded-For': from, Accept: path === '/' ? 'text/html' : 'application/json' };
  request(url + path, { agent, headers }, (response) => {
    response
      .on('end', () => done(response.statusCode))
      .on('error', () => done(0))
      .resume();
  })
    .on('error', () => done(0))
    .end();
}

setInterval(read, everyMs);
