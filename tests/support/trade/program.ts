// `curvekit-trade` as published: packed once per run, unpacked outside the repository, run as a separate process.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Keypair } from '@solana/web3.js';
import { DOCUMENTS } from '../../../trade/src/documents.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { ROOT, run } from '#tests/process/run.js';

export interface TradeCliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunningCommand {
  nextLine(): Promise<string>;
  /** Waits until standard error has a match. @returns it */
  untilSaid(text: string | RegExp): Promise<string>;
  /** Sends a signal. @returns the exit code */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface TradeCli {
  readonly folder: string;
  readonly main: string;
  /** The environment of every run. */
  readonly environment: Record<string, string>;
  run(...args: string[]): Promise<TradeCliRun>;
  /** Runs with `--json`. @returns the parsed lines. @throws if the exit code is not 0 */
  json<T>(...args: string[]): Promise<T[]>;
  start(...args: string[]): RunningCommand;
  /** Writes a key in the format of Solana's command line. @returns its path */
  keypairFile(name: string, keypair: Keypair): Promise<string>;
}

let unpacked: Promise<string> | undefined;

/** The path of the program, which is removed when this process exits. */
function program(): Promise<string> {
  return (unpacked ??= unpack());
}

async function unpack(): Promise<string> {
  const folder = temporaryFolder('trade');
  await run('npm', ['pack', '--workspace', 'trade', '--pack-destination', folder], { cwd: ROOT });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'))!;
  await run('tar', ['-xzf', tarball], { cwd: folder });
  return join(folder, 'package', 'bin', 'curvekit-trade.mjs');
}

/** Its environment has only PATH and an empty HOME. */
export async function unpackTradeCli(): Promise<TradeCli> {
  const main = await program();
  const folder = temporaryFolder('trader');
  const environment: Record<string, string> = { PATH: process.env['PATH'] ?? '', HOME: folder };

  const runOnce = (...args: string[]) =>
    new Promise<TradeCliRun>((resolve) => {
      execFile(process.execPath, [main, ...args], { env: environment }, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out: out.trimEnd(), err: err.trimEnd() });
      });
    });
  return {
    folder,
    main,
    environment,
    run: runOnce,
    json: async <T>(...args: string[]) => {
      const { code, out, err } = await runOnce(...args, '--json');
      if (code !== 0) throw new Error(`curvekit-trade ${args.join(' ')} ended with ${code}: ${err}`);
      return out === '' ? [] : out.split('\n').map((line) => asDocumented<T>(args, line));
    },
    start: (...args) => started(spawn(process.execPath, [main, ...args], { env: environment })),
    keypairFile: async (name, keypair) => {
      const path = join(folder, name);
      await writeFile(path, JSON.stringify([...keypair.secretKey]));
      return path;
    },
  };
}

/** A line, which must be as the command's schema says. */
function asDocumented<T>([command = '', ...args]: readonly string[], line: string): T {
  const isSimulated = ['buy', 'sell'].includes(command) && args.includes('--simulate');
  const document: unknown = JSON.parse(line);
  DOCUMENTS[isSimulated ? 'simulation' : (command as keyof typeof DOCUMENTS)].parse(document);
  return document as T;
}

function started(child: ChildProcess): RunningCommand {
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'close') as Promise<[number | null]>;
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    nextLine: async () => {
      const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
      if (done === true) throw new Error(`the command has ended; it said: ${said}`);
      return value;
    },
    untilSaid: async (text) => {
      for (;;) {
        const [found] = said.match(text) ?? [];
        if (found !== undefined) return found;
        const next = await Promise.race([once(child.stderr!, 'data'), ended.then(() => undefined)]);
        if (next === undefined) throw new Error(`the command has ended; it said: ${said}`);
      }
    },
    end: async (signal) => {
      child.kill(signal);
      return (await ended)[0];
    },
  };
}
