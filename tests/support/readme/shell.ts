// A terminal: bash, with one command after the other, so that variables and the working directory last.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

export interface Ran {
  readonly code: number;
  /** Standard output and standard error. */
  readonly output: string;
}

export class Shell {
  readonly #bash: ChildProcess;
  #output = '';

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: environment,
      stdio: 'pipe',
      detached: true,
    });
    for (const stream of [this.#bash.stdout!, this.#bash.stderr!])
      stream.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#bash.stdin!.write('exec 2>&1\n');
  }

  /** Types the command and waits for its end. */
  async run(command: string): Promise<Ran> {
    const mark = randomUUID();
    this.#output = '';
    this.#bash.stdin!.write(`${command} </dev/null\nprintf '\\n%s %s\\n' ${mark} $?\n`);
    const end = new RegExp(`\n${mark} (\\d+)\n`);
    for (;;) {
      const found = end.exec(this.#output);
      if (found !== null) return { code: Number(found[1]), output: this.#output.slice(0, found.index) };
      if (this.#bash.exitCode !== null) throw new Error(`the shell ended: ${this.#output}`);
      await Promise.race([once(this.#bash.stdout!, 'data'), once(this.#bash, 'exit')]);
    }
  }

  /** Starts a command that runs until it is stopped, in the background, and waits until it says `ready`. */
  async start(command: string, ready: RegExp): Promise<void> {
    this.#output = '';
    this.#bash.stdin!.write(`${command} </dev/null &\n`);
    while (!ready.test(this.#output)) {
      const ended = /^\[\d+\]\+? +(Exit|Done)/m.test(this.#output);
      if (ended || this.#bash.exitCode !== null) throw new Error(`${command} ended: ${this.#output}`);
      await Promise.race([once(this.#bash.stdout!, 'data'), once(this.#bash, 'exit')]);
    }
  }

  /** Ends everything that was started from it. */
  close(): void {
    try {
      process.kill(-this.#bash.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
