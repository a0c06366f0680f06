// The clients in sdk/python and sdk/go, generated and built as their READMEs say, in a copy of what they are made from.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE, fromPyPi, ROOT, run } from './launchpad.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

/** The last is what the client in sdk/python imports. */
const TOOLS = [
  ...['openapi-generator-cli==7.26.0', 'openapi-python-client==0.29.1', 'setuptools==80.9.0'],
  'solders==0.29.0',
];
const SOURCES = ['sdk/python', 'sdk/go', 'sdk/src/generated/api/openapi.json', 'programs/artifacts'];

let folder: Promise<string> | undefined;
let python: Promise<string> | undefined;
let go: Promise<{ reader: string; backend: string }> | undefined;

async function copy(): Promise<string> {
  const to = temporaryFolder('sdks');
  for (const source of SOURCES) await cp(join(ROOT, source), join(to, source), { recursive: true });
  return to;
}

/** A Python with the generators, and openapi-generator's program. */
export async function pythonWithTools(): Promise<{ readonly python: string; readonly jar: string }> {
  const program = join(await fromPyPi(...TOOLS), 'bin', 'python');
  const where = ['-c', 'import openapi_generator_cli; print(*openapi_generator_cli.__path__)'];
  return { python: program, jar: join((await run(program, where)).trim(), 'openapi-generator.jar') };
}

export function pythonOfSdk(): Promise<string> {
  return (python ??= (async () => {
    const { python: program } = await pythonWithTools();
    const how = ['--quiet', '--no-deps', '--no-build-isolation', '--force-reinstall'];
    await run(program, ['-m', 'pip', 'install', ...how, join(await (folder ??= copy()), 'sdk/python')]);
    return program;
  })());
}

/** The programs that are built with the client in sdk/go. */
export function goSdk(): Promise<{ readonly reader: string; readonly backend: string }> {
  return (go ??= (async () => {
    const { jar } = await pythonWithTools();
    const cwd = join(await (folder ??= copy()), 'sdk/go');
    const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '', GOCACHE: join(CACHE, 'go') };
    await run(join(cwd, 'generate.sh'), [], { cwd, env: { ...env, OPENAPI_GENERATOR_JAR: jar } });
    await cp(join(ROOT, 'tests/outsiders/clients/main.go'), join(cwd, 'reader/main.go'));
    await run('go', ['vet', '.', './examples/backend'], { cwd, env });
    await run('go', ['build', '-o', 'built/', './reader', './examples/backend'], { cwd, env });
    return { reader: join(cwd, 'built/reader'), backend: join(cwd, 'built/backend') };
  })());
}
