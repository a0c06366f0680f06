// A terminal: bash, with one command after the other, so that variables and the working directory last.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';

export interface Ran {
  readonly code: number;
  /** Standard output and standard error. */
  readonly output: string;
}

export class Shell {
  readonly #bash: ChildProcess;
  readonly #said = new EventEmitter();
  #output = '';
  #isOpen = true;

  /** @param within a command that runs the shell in surroundings of its own */
  constructor(folder: string, environment: NodeJS.ProcessEnv, within: readonly string[] = []) {
    const [program, ...args] = [...within, 'bash', '--noprofile', '--norc'];
    this.#bash = spawn(program, args, {
      cwd: folder,
      env: environment,
      stdio: 'pipe',
      detached: true,
    });
    for (const stream of [this.#bash.stdout!, this.#bash.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
        this.#said.emit('more');
      });
    }
    this.#bash.once('exit', () => {
      this.#isOpen = false;
      this.#said.emit('more');
    });
    this.#bash.stdin!.write('exec 2>&1\n');
  }

  async run(command: string): Promise<Ran> {
    const mark = randomUUID();
    this.#type(`${command} </dev/null\nprintf '\\n%s %s\\n' ${mark} $?\n`);
    const { index, 1: code } = await this.#until(new RegExp(`\n${mark} (\\d+)\n`));
    return { code: Number(code), output: this.#output.slice(0, index) };
  }

  /** Starts a command that runs until it is stopped, in the background, and waits until it says `ready`. @returns what it said */
  async start(command: string, ready: RegExp): Promise<string> {
    const mark = randomUUID();
    // Some programs end when their input does.
    this.#type(`sleep infinity | { ${command}; printf '%s\\n' ${mark}; } &\n`);
    await this.#until(ready, new RegExp(mark));
    return this.#output;
  }

  #type(text: string): void {
    this.#output = '';
    this.#bash.stdin!.write(text);
  }

  async #until(wanted: RegExp, ended?: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = wanted.exec(this.#output);
      if (found !== null) return found;
      if (!this.#isOpen || ended?.test(this.#output) === true) throw new Error(`it ended: ${this.#output}`);
      await once(this.#said, 'more');
    }
  }

  close(): void {
    try {
      process.kill(-this.#bash.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
