import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startSupervised } from '#testing/supervised.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

/** Prints its process id and keeps running. */
const PROGRAM = ['/bin/sh', '-c', 'echo $$; exec sleep 1000'] as const;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function eventually(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !condition(); await sleep(20)) {
    if (Date.now() > deadline) throw new Error(`not within 10 s: ${condition.toString()}`);
  }
}

describe('a supervised program', () => {
  let outside: string;
  let folder: string;
  let output: string;
  const printedPid = (): number => (existsSync(output) ? Number(readFileSync(output, 'utf8')) : 0);

  beforeEach(() => {
    outside = temporaryFolder('supervised-test');
    folder = join(outside, 'folder');
    output = join(folder, 'output');
    mkdirSync(folder);
  });

  it('is stopped and its folder deleted by stop(), which can be called again', async () => {
    const program = startSupervised(folder, output, PROGRAM);
    await eventually(() => printedPid() > 0);
    const pid = printedPid();
    expect(program.ended()).to.equal(undefined);
    await Promise.all([program.stop(), program.stop()]);
    await program.stop();
    expect(isAlive(pid)).to.equal(false);
    expect(existsSync(folder)).to.equal(false);
  });

  for (const end of [
    'SIGKILL',
    'SIGTERM',
    'SIGINT',
    'exit',
    'SIGINT to its group',
    'SIGKILL to its group',
  ] as const) {
    it(`ends with the process that started it (${end})`, async () => {
      const source = `
        import { startSupervised } from ${JSON.stringify(join(import.meta.dirname, '../../testing/src/supervised.ts'))};
        startSupervised(${JSON.stringify(folder)}, ${JSON.stringify(output)}, ${JSON.stringify(PROGRAM)});
        process.stdin.on('data', () => process.exit(3));`;
      const parent = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', source], {
        stdio: ['pipe', 'inherit', 'inherit'],
        detached: true,
      });
      await eventually(() => printedPid() > 0);
      const pid = printedPid();
      expect(isAlive(pid)).to.equal(true);
      const [signal, group] = end.split(' to ');
      if (end === 'exit') parent.stdin.write('now');
      else process.kill(group === undefined ? parent.pid! : -parent.pid!, signal);
      await eventually(() => !isAlive(pid) && !existsSync(folder));
    });
  }

  it('ignores Ctrl-C until the process that started it stops it', async () => {
    const program = startSupervised(folder, output, PROGRAM);
    await eventually(() => printedPid() > 0);
    process.kill(printedPid(), 'SIGINT');
    await sleep(200);
    expect(program.ended()).to.equal(undefined);
    expect(isAlive(printedPid())).to.equal(true);
    await program.stop();
  });
});
