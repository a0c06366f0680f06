/** `npm run prove`: proves the programs' arithmetic from today's sources. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand, wholeNumber } from '../command-line.js';
import { assumptionsFile, checkAssumptions, checkFiles, handWritten, theoremsOf } from './coq.js';
import { buildModel, compareRust } from './model.js';
import { runMutants } from './mutants.js';
import { buildPrograms, commit, requireCommitted, translate, TRANSLATIONS } from './translation.js';
import { spawnSync } from 'node:child_process';

const HELP = `npm run prove [-- --write] [-- --vectors N] [-- --seed S] [-- --mutants]

Proves what proofs/README.md says of the programs' arithmetic, from the sources as they are. Needs Coq and OCaml. The steps, with
their usual times on two cores:

  build        the translator and the programs that make vectors                              1 s (10 s the first time)
  translate    the Rust into Coq. The result must be the committed one: --write writes it     0 s
  prove        every theorem                                                                 15 s
  assumptions  no theorem depends on an axiom or on a proof that was left out                 2 s
  model        the translation as OCaml repeats random calls of the real Rust                 3 s

Where a proof fails, it names the theorem. --vectors is the number of calls of each kind (200,000 unless said otherwise),
--seed makes them the same again.

--mutants alters each operation of the sources in turn, 2 s each, and fails if the proofs do not notice.`;

const DEFAULT_VECTORS = '200000';
const MOST_VECTORS = 100_000_000;
const MOST_SEED = 2 ** 32 - 1;

const { values } = parseArgs({
  options: {
    write: { type: 'boolean' },
    vectors: { type: 'string', default: DEFAULT_VECTORS },
    seed: { type: 'string' },
    mutants: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});
const say = (line: string): void => console.error(line);

runCommand(HELP, async () => {
  if (values.help === true) console.log(HELP);
  else if (values.mutants === true) await mutants();
  else await prove();
});

async function prove(): Promise<void> {
  const vectors = wholeNumber('--vectors', values.vectors, 1, MOST_VECTORS);
  const seed = wholeNumber('--seed', values.seed ?? String(Date.now() % MOST_SEED), 0, MOST_SEED);
  const step = async <T>(name: string, task: () => T | Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await task();
    const seconds = (performance.now() - started) / 1_000;
    say(`prove: ${name.padEnd(11)} ${seconds.toFixed(1).padStart(5)} s`);
    return result;
  };

  const coq = requireCoq();
  await step('build', buildPrograms);
  await step('translate', translateAll);
  const folder = mkdtempSync(join(tmpdir(), 'curvekit-proofs-'));
  try {
    const files = allFiles();
    const theorems = theoremsOf(files);
    writeFiles(folder, files);
    // The extraction, which is a file like the others, writes the model.
    await step('prove', () => checkFiles(folder, files, [...files.keys()], availableParallelism()));
    await step('assumptions', () => {
      writeFileSync(join(folder, 'Assumptions.v'), assumptionsFile(theorems));
      return checkAssumptions(folder);
    });
    const compared = await step('model', async () => {
      await buildModel(folder);
      return Promise.all([
        compareRust(folder, 'trades', vectors, seed),
        compareRust(folder, 'graduations', vectors, seed),
      ]);
    });
    requireCommitted(translated);
    for (const line of compared) console.log(line);
    console.log(`${theorems.length} theorems proved by Coq ${coq}, no axioms; seed ${seed}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const translated = new Map<string, string>();

async function translateAll(): Promise<void> {
  for (const translation of TRANSLATIONS) {
    const text = await translate(translation);
    translated.set(translation.coq, text);
    if (values.write === true) commit(translation, text);
  }
}

function allFiles(): Map<string, string> {
  return new Map([...translated, ...handWritten()]);
}

function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [name, text] of files) writeFileSync(join(folder, `${name}.v`), text);
}

async function mutants(): Promise<void> {
  requireCoq();
  await buildPrograms();
  await translateAll();
  const folder = mkdtempSync(join(tmpdir(), 'curvekit-mutants-'));
  try {
    const files = allFiles();
    files.delete('Extract');
    writeFiles(folder, files);
    await checkFiles(folder, files, [...files.keys()], availableParallelism());
    const survivors = await runMutants(folder, files, availableParallelism(), (line) => console.log(line));
    if (survivors > 0) throw new CommandError(`the proofs do not notice ${survivors} mutants`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Coq's version, such as `8.16.1`. @throws CommandError that says how to install what is missing */
function requireCoq(): string {
  const missing = missingTool();
  if (missing !== undefined)
    // The second package has OCaml's integers of any size, in which the extracted model computes.
    throw new CommandError(
      `${missing} is not installed. Debian and Ubuntu: sudo apt-get install coq libzarith-ocaml-dev. ` +
        'Elsewhere, with https://opam.ocaml.org: opam install coq.8.16.1 zarith ocamlfind',
    );
  const { stdout } = spawnSync('coqc', ['--print-version'], { encoding: 'utf8' });
  return stdout.split(' ')[0] ?? '';
}

function missingTool(): string | undefined {
  for (const program of ['coqc', 'ocamlfind'])
    if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined) return program;
  const folder = spawnSync('ocamlfind', ['query', 'zarith'], { encoding: 'utf8' }).stdout.trim();
  return existsSync(join(folder, 'zarith.cmxa')) ? undefined : "OCaml's library zarith";
}
