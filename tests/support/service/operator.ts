// The operator of the service, with only the command line `curvekit` and environment variables.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { bundled } from '#tests/process/bundled.js';
import { outputOf, STARTED } from '#tests/process/output.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const CURVEKIT = 'app/src/operator/main.ts';

export interface OperatorOptions {
  /** The variables of the processes besides PATH. Without DATABASE_URL their database is a folder. */
  readonly environment: Readonly<Record<string, string>>;
}

export class Operator {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #folder = temporaryFolder('operator');
  #service: { readonly process: ChildProcess; readonly url: string } | undefined;

  constructor({ environment }: OperatorOptions) {
    this.#environment = environment;
  }

  /** The service's URL. @throws while it does not run */
  get url(): string {
    if (this.#service === undefined) throw new Error('the service does not run');
    return this.#service.url;
  }

  /** Runs `curvekit start`. @returns once the service logs that it is ready */
  async start(): Promise<void> {
    const process = await this.#spawn(['start']);
    const [, url] = await outputOf(process).until(STARTED);
    this.#service = { process, url: url! };
  }

  /** Sends SIGTERM to the service. @throws if its exit code is not 0 */
  async stop(): Promise<void> {
    const running = this.#service?.process;
    this.#service = undefined;
    if (running === undefined) return;
    const exit = once(running, 'exit');
    running.kill('SIGTERM');
    const [code] = (await exit) as [number | null];
    if (code !== 0) throw new Error(`the service ended with ${code}`);
  }

  /**
   * Runs `curvekit … --json`. Only one process at a time can open an embedded database, so the service stops for the command.
   *
   * @throws the command's output if its exit code is not 0
   */
  async command<T>(...args: readonly string[]): Promise<T> {
    const interrupts = this.#service !== undefined && this.#environment['DATABASE_URL'] === undefined;
    if (interrupts) await this.stop();
    const command = await this.#spawn([...args, '--json']);
    const [out, err, [code]] = await Promise.all([
      text(command.stdout!),
      text(command.stderr!),
      once(command, 'exit') as Promise<[number | null]>,
    ]);
    if (code !== 0) throw new Error(`curvekit ${args.join(' ')} ended with ${code}: ${err}${out}`);
    if (interrupts) await this.start();
    return JSON.parse(out) as T;
  }

  kill(): void {
    this.#service?.process.kill('SIGKILL');
  }

  async #spawn(args: readonly string[]): Promise<ChildProcess> {
    return spawn(process.execPath, [await bundled(CURVEKIT), ...args], {
      cwd: this.#folder,
      env: { PATH: process.env['PATH'], ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
