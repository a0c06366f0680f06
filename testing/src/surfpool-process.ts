import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgramBinary } from './backend.js';
import { ClusterStartError } from './errors.js';
import { clusterFolder } from './files.js';
import { INSTEAD } from './surfpool-addon.js';
import { startSupervised, type Supervised } from './supervised.js';

/**
 * Surfpool queues up to 1,024 events, two to four per transaction, and blocks while the queue is full. Ten drains a
 * second allow 2,500 transactions a second, several times its maximum.
 */
const DRAIN_INTERVAL_MS = 100;

/**
 * What the process runs: CommonJS for any Node, so that it needs neither a compiler nor a file of its own. Its arguments come
 * last, because Bun puts a name of its own before them. The answer is complete once it has its name.
 *
 * Surfpool opens its websocket on a random port. web3.js, Anchor and wallets look for it on the port after the RPC port, so the
 * process has two such ports, and forwards them. If another process has taken one, the process ends, and the next attempt has
 * other ports. An answer to `getTransaction` is held until its block's time is right: Surfpool 1.5 divides it by 1,000. The rest
 * passes byte by byte, because an HTTP proxy takes as long as Surfpool does. `fetch` needs WebAssembly, which NODE_FLAGS turn off.
 */
const PROGRAM = `
const { renameSync, writeFileSync } = require('node:fs');
const { request } = require('node:http');
const { connect, createServer } = require('node:net');
const { Transform } = require('node:stream');
const [addon, answerFile, settings] = process.argv.slice(-3);
const { slotTimeMs, programs } = JSON.parse(settings);
const start = () => {
  let doing = 'the addon does not load on this system';
  try {
    const { Surfnet } = require(addon);
    doing = 'it did not start';
    const surfnet = Surfnet.startWithConfig({ offline: true, slotTimeMs });
    setInterval(() => surfnet.drainEvents(), ${DRAIN_INTERVAL_MS});
    for (const program of programs) {
      doing = 'it refused program ' + program.programId + ' (' + program.soPath + ')';
      surfnet.deploy(program);
    }
    const { rpcUrl, wsUrl, payerSecretKey } = surfnet;
    return { rpcUrl, wsUrl, payerSecretKey };
  } catch (error) {
    return { refusal: doing + ': ' + error.message };
  }
};
const answer = (content) => {
  writeFileSync(answerFile + '.part', JSON.stringify(content), { mode: 0o600 });
  renameSync(answerFile + '.part', answerFile);
};
const forward = (client, port, rpcUrl) => {
  const node = connect(port, '127.0.0.1');
  let held;
  const answers = new Transform({
    transform(chunk, _, done) {
      if (held === undefined) return done(null, chunk);
      held = Buffer.concat([held, chunk]);
      const [head, length] = /^.*?content-length: (\\d+).*?\\r\\n\\r\\n/is.exec(held.toString('latin1')) ?? [];
      if (head === undefined || held.length < head.length + Number(length)) return done();
      const body = held.subarray(head.length).toString();
      held = undefined;
      withTimes(body, rpcUrl).then((text) => {
        const now = 'content-length: ' + Buffer.byteLength(text);
        done(null, head.replace(/content-length: \\d+/i, now) + text);
      }, done);
    },
  });
  if (rpcUrl) client.on('data', (chunk) => {
    if (chunk.includes('getTransaction"')) held = Buffer.alloc(0);
  });
  for (const [from, to, through] of [[client, node, node], [node, client, answers]]) {
    from.setNoDelay().on('error', () => to.destroy()).pipe(through);
  }
  answers.on('error', () => [client, node].map((socket) => socket.destroy())).pipe(client);
};
const timeOf = (slot, rpcUrl) => new Promise((resolve, reject) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBlockTime', params: [slot] });
  const options = { agent: false, method: 'POST', headers: { 'content-type': 'application/json' } };
  const read = async (answer) => JSON.parse(Buffer.concat(await answer.toArray())).result;
  request(rpcUrl, options, (answer) => read(answer).then(resolve, reject)).on('error', reject).end(body);
});
const withTimes = async (text, rpcUrl) => {
  const told = /("blockTime":)(\\d{1,8})(?=,.*?"slot":(\\d+))/g;
  const slots = [...text.matchAll(told)].map(([, , , slot]) => Number(slot));
  const times = await Promise.all(slots.map((slot) => timeOf(slot, rpcUrl)));
  return text.replace(told, (_, field) => field + times.shift());
};
const started = start();
if (started.refusal) answer(started);
else {
  const { rpcUrl, wsUrl } = started;
  const portOf = (url) => Number(new URL(url).port);
  const server = createServer((client) => forward(client, portOf(rpcUrl), rpcUrl)).listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const own = { rpcUrl: 'http://127.0.0.1:' + port, wsUrl: 'ws://127.0.0.1:' + (port + 1) };
    createServer((client) => forward(client, portOf(wsUrl))).listen(port + 1, '127.0.0.1', () => answer({ ...started, ...own }));
  });
}
`;

/** Without its compilers, Node takes 11 MiB less, and a forwarded request 0.02 ms more. Bun has no such option. */
const NODE_FLAGS = process.versions['bun'] === undefined ? ['--jitless'] : [];
/** Usually a fifth of a second. */
const START_TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 5;
/**
 * Surfpool chooses its ports before it opens them. When another process takes one in between, a thread of Surfpool panics, and
 * its start never ends.
 */
const START_ATTEMPTS = 3;
const PANIC = / panicked at /;

/** One running Surfpool. */
export interface SurfpoolProcess {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly payerSecretKey: readonly number[];
  /** Safe to call twice. */
  readonly stop: () => Promise<void>;
}

type Answer = Omit<SurfpoolProcess, 'stop'> | { readonly refusal: string };

/**
 * Starts Surfpool in a process of its own, offline, with the programs deployed. It cannot outlive this process.
 *
 * @param addon Path of Surfpool's addon.
 * @param slotTimeMs How far the clock moves with each slot, that is with each transaction.
 * @throws ClusterStartError when Surfpool refuses a program, or did not come up in three attempts. The message quotes what it
 *   printed.
 */
export async function startSurfpoolProcess(
  addon: string,
  programs: readonly ProgramBinary[],
  slotTimeMs: number,
): Promise<SurfpoolProcess> {
  const settings = {
    slotTimeMs,
    programs: programs.map(({ programId, so }) => ({ programId: programId.toBase58(), soPath: so })),
  };
  for (let attempt = 1; ; attempt += 1) {
    const folder = await clusterFolder('surfpool');
    const output = join(folder, 'output.log');
    const answerFile = join(folder, 'answer.json');
    const surfpool = startSupervised(folder, output, [
      ...[process.execPath, ...NODE_FLAGS, '-e', PROGRAM],
      ...[addon, answerFile, JSON.stringify(settings)],
    ]);
    const answer = await answerOf(answerFile, output, surfpool);
    if (typeof answer === 'object' && 'rpcUrl' in answer) return { ...answer, stop: surfpool.stop };
    const printed = await textOf(output);
    await surfpool.stop();
    if (typeof answer === 'object') throw new ClusterStartError(`Surfpool: ${answer.refusal}; ${INSTEAD}`);
    if (attempt === START_ATTEMPTS) {
      throw new ClusterStartError(
        `Surfpool did not start in ${START_ATTEMPTS} attempts: ${answer}; ${INSTEAD}${printed === '' ? '' : `\n${printed.trimEnd()}`}`,
      );
    }
  }
}

/** What the process answers, or why it will not. */
async function answerOf(file: string, output: string, surfpool: Supervised): Promise<Answer | string> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const answer = await textOf(file);
    if (answer !== '') return JSON.parse(answer) as Answer;
    const ended = surfpool.ended();
    if (ended !== undefined) return `it ended by itself (${ended})`;
    if (PANIC.test(await textOf(output))) return 'one of its threads panicked';
    if (Date.now() > deadline) return `it was not ready within ${START_TIMEOUT_MS / 1_000} s`;
    await sleep(POLL_INTERVAL_MS);
  }
}

/** The file's text. Empty while there is no such file. */
function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
