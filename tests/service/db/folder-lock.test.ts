import { spawn, type ChildProcess } from 'node:child_process'; // threat: two-processes
import { once } from 'node:events';
import { cp, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { DatabaseError } from '#app/db/errors.js';
import { lockFolder } from '#app/db/folder-lock.js';
import { bundled } from '#tests/process/bundled.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const PROCESSES = 6;
const RACES = 15;
const TURNS = 50;

/** A process that runs tests/support/process/folder-lock-process.ts. */
interface Locker {
  readonly process: ChildProcess;
  readonly ask: (command: string) => Promise<string>;
}

describe('the folder lock', () => {
  const folder = temporaryFolder('lock');
  const lockers: Locker[] = [];

  before(async () => {
    const program = await bundled('tests/support/process/folder-lock-process.ts');
    for (let count = 0; count < PROCESSES + 1; count += 1) lockers.push(start(program));
  });
  after(() => {
    for (const { process: child } of lockers) child.kill('SIGKILL');
  });

  it('goes to exactly one process when many find that its owner has died', async () => {
    const { process: victim, ask } = lockers.pop()!;
    expect(await ask(`race ${folder}/dead 0`)).to.equal('won');
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    for (let race = 0; race < RACES; race += 1) {
      const contested = join(folder, String(race));
      await cp(`${folder}/dead.lock`, `${contested}.lock`, { recursive: true, verbatimSymlinks: true });
      const at = Date.now() + 20;
      const outcomes = await Promise.all(lockers.map((locker) => locker.ask(`race ${contested} ${at}`)));
      expect(
        outcomes.filter((outcome) => outcome === 'won'),
        `race ${race}`,
      ).to.have.length(1);
    }
  });

  it('never has two owners while many processes take and release it, and leaves few files', async () => {
    const contested = join(folder, 'turns');
    const seen = await Promise.all(lockers.map(({ ask }) => ask(`turns ${contested} ${TURNS}`)));
    expect(seen).to.deep.equal(lockers.map(() => '0'));
    expect((await readdir(`${contested}.lock`)).length).to.be.lessThan(20);
  });

  it('is not held by a process that only reuses the PID of its owner', async () => {
    const contested = join(folder, 'reused');
    lockFolder(contested);
    expect(() => lockFolder(contested)).to.throw(DatabaseError, /in use by process \d+; stop it first/);
    // PIDs are reused, also by this process: a container often restarts with the PID of its predecessor.
    await symlink(`${process.pid}:of-before`, `${contested}.lock/2`);
    await symlink(`${process.ppid}:of-before`, `${contested}.lock/3`);
    lockFolder(contested)();
  });
});

function start(program: string): Locker {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    process: child,
    ask: async (command) => {
      child.stdin.write(`${command}\n`);
      return String((await lines.next()).value);
    },
  };
}
