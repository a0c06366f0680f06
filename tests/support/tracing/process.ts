// `curvekit start` in a process of its own. It ends by itself, so what keeps it alive is noticed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LocalCluster } from '@curvekit/testing';
import { bundled } from '../process/bundled.js';
import { firstDocument } from '../process/first-document.js';
import { simulatedCluster } from '../service/service.js';

export interface StartedProcess {
  readonly url: string;
  /** Sends SIGTERM and waits. @returns how long it took, and the exit code */
  readonly terminate: () => Promise<{ readonly ms: number; readonly code: number | null }>;
  /** Whether the process has run code of OpenTelemetry's SDK. Call it after the end. */
  readonly hasRunSdk: () => Promise<boolean>;
  /** Kills the process if it runs, and removes its files. */
  readonly discard: () => Promise<void>;
}

/** A class of the SDK. The API does not name it. */
const OF_SDK = 'NodeTracerProvider';

export async function startTracedProcess(
  cluster: LocalCluster,
  environment: Readonly<Record<string, string>>,
): Promise<StartedProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'curvekit-tracing-'));
  const coverage = join(folder, 'coverage');
  const child = spawn(process.execPath, [await bundled('app/src/operator/main.ts'), 'start', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      RPC_URL: cluster.rpcUrl,
      WS_URL: cluster.wsUrl,
      SIMULATED_CLUSTER: simulatedCluster(cluster),
      PROGRAM_ID: cluster.programId.toBase58(),
      DATABASE_FOLDER: 'memory',
      INDEXER: 'off',
      LOG_LEVEL: 'silent',
      RATE_LIMIT_REQUESTS: '1000000',
      MARKET_RATE_LIMIT_REQUESTS: '1000000',
      // Node lists the files that it has loaded.
      NODE_V8_COVERAGE: coverage,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const { url } = await firstDocument<{ url: string }>(child);
  return {
    url,
    terminate: async () => {
      const began = performance.now();
      child.kill('SIGTERM');
      const [code] = await ended;
      return { ms: performance.now() - began, code };
    },
    hasRunSdk: async () => (await loadedTexts(coverage)).some((text) => text.includes(OF_SDK)),
    discard: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function loadedTexts(coverage: string): Promise<string[]> {
  const files = await readdir(coverage);
  const reports = await Promise.all(files.map((file) => readFile(join(coverage, file), 'utf8')));
  const urls = reports
    .flatMap((report) => (JSON.parse(report) as { result: { url: string }[] }).result)
    .map(({ url }) => url)
    .filter((url) => url.startsWith('file:'));
  return Promise.all([...new Set(urls)].map((url) => readFile(fileURLToPath(url), 'utf8')));
}
