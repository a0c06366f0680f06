/** Builds altered programs, in a copy of the Rust workspace that is kept for the next run. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../command-line.js';
import { ROOT, RUST_WORKSPACE } from '../program/paths.js';
import { run } from '../prove/run.js';
import { altered, INTERFACE, type Mutant } from './list.js';

/** Compiled in a third of the time; a program does the same. */
const FAST = { CARGO_PROFILE_RELEASE_LTO: 'off', CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16' };

/** A copy of the workspace, in which one program at a time is altered. */
export class Workspace {
  readonly #folder: string;

  /** @param lane runs of the same number must not overlap */
  constructor(lane: number) {
    this.#folder = join(ROOT, 'target', 'mutants', String(lane));
    for (const path of RUST_WORKSPACE) {
      rmSync(join(this.#folder, path), { recursive: true, force: true });
      cpSync(join(ROOT, path), join(this.#folder, path), {
        recursive: true,
        filter: (file) => !file.endsWith('/target'),
      });
    }
  }

  /** @returns the program's file, as the sources make it, which later builds keep @throws CommandError when they do not compile */
  async build(crate: string): Promise<string> {
    const file = await this.#compile(crate);
    if (file === undefined) throw new CommandError(`${crate} cannot be built`);
    const kept = `${file}.unaltered`;
    copyFileSync(file, kept);
    return kept;
  }

  /** @returns the program's file; undefined when the compiler refuses the alteration */
  async buildAltered(crate: string, mutant: Mutant): Promise<string | undefined> {
    return this.#altered(mutant, () => this.#compile(crate));
  }

  /** Runs the unit and property tests of the crate and of the interface. @param mutant none for the sources as they are @returns what failed; undefined when none did */
  async unitTests(crate: string, mutant?: Mutant): Promise<string | undefined> {
    const test = () =>
      run('cargo', ['test', '--quiet', '--lib', '--package', crate, '--package', INTERFACE], this.#folder, {
        PROPTEST_CASES: '2000',
      });
    const { code, output } = mutant === undefined ? await test() : await this.#altered(mutant, test);
    return code === 0 ? undefined : output;
  }

  /** Alters a source while it works. */
  async #altered<T>(mutant: Mutant, work: () => Promise<T>): Promise<T> {
    const path = join(this.#folder, mutant.file);
    const source = readFileSync(path, 'utf8');
    try {
      writeFileSync(path, altered(source, mutant));
      return await work();
    } finally {
      writeFileSync(path, source);
    }
  }

  async #compile(crate: string): Promise<string | undefined> {
    const output = join(this.#folder, 'built');
    mkdirSync(output, { recursive: true });
    const manifest = join(this.#folder, 'programs', crate, 'Cargo.toml');
    const { code } = await run(
      'cargo',
      ['build-sbf', '--manifest-path', manifest, '--sbf-out-dir', output],
      this.#folder,
      FAST,
    );
    return code === 0 ? join(output, `${crate.replace('-', '_')}.so`) : undefined;
  }
}
