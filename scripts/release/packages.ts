/** Whether a packed package has what its users need, and nothing that it must not have. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { ROOT } from '../program/paths.js';

/** Tests, sources, maps with the paths of the machine that built them, and variables with secrets. */
const NOT_PACKED =
  /(^|\/)(tests?|src|node_modules|\.env)(\/|$)|\.test\.|\.map$|(?<!\.d)\.[cm]?tsx?$|\.tsbuildinfo$/;
const SECRET_KEY = /^\s*\[(\s*\d{1,3}\s*,){63}\s*\d{1,3}\s*\]\s*$|-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** Development keys, whose secrets are public. */
const PUBLIC_KEYS = join(ROOT, 'programs', 'keys', 'localnet');

/** @param folder the workspace that it was packed from */
export async function packageProblems(
  folder: string,
  tarball: Uint8Array<ArrayBuffer>,
): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  const packed = createPackageFromTarballData(tarball);
  const base = `/node_modules/${packed.packageName}/`;
  const { license, exports, repository, publishConfig } = JSON.parse(
    packed.readFile(`${base}package.json`),
  ) as {
    license?: string;
    exports?: Record<string, unknown>;
    repository?: { url: string; directory: string };
    publishConfig?: { access: string; provenance: boolean };
  };
  const publicKeys = readdirSync(PUBLIC_KEYS).map((name) => readFileSync(join(PUBLIC_KEYS, name), 'utf8'));
  const problems = messages.map((message) => formatMessage(message, pkg) ?? message.code);

  if (packed.tryReadFile(`${base}LICENSE`) !== readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
    problems.push("LICENSE is not packed, or is not the repository's");
  for (const path of packed.listFiles()) {
    const [name, text] = [path.slice(base.length), packed.readFile(path)];
    if (NOT_PACKED.test(name)) problems.push(`${name} is packed: leave it out by "files" in package.json`);
    if (text.includes(ROOT.replace(/\/$/, ''))) problems.push(`${name} contains a path of this machine`);
    if (SECRET_KEY.test(text) && !publicKeys.includes(text)) problems.push(`${name} contains a secret key`);
  }
  // npm takes no provenance from elsewhere than the repository that the package names.
  if (publishConfig?.access !== 'public' || !publishConfig.provenance)
    problems.push('package.json: publishConfig needs "access": "public" and "provenance": true');
  if (repository?.directory !== folder || !/^git\+https:\/\/.*\.git$/.test(repository.url))
    problems.push(`package.json: repository needs "directory": "${folder}" and a URL "git+https://….git"`);
  if (license !== 'Apache-2.0') problems.push(`package.json: license is ${license}, not Apache-2.0`);

  if (exports === undefined) return problems;
  const checked = await checkPackage(packed);
  if (checked.types === false) return [...problems, 'has no types'];
  // At run time Node 10 finds no subpath. A test resolves the types by TypeScript's resolution of that name.
  const wrong = checked.problems.filter(
    (one) => !('resolutionKind' in one && one.resolutionKind === 'node10'),
  );
  const unchecked = Object.keys(exports).filter((entry) => !(entry in checked.entrypoints));
  return [
    ...problems,
    ...wrong.map((problem) => `Are The Types Wrong: ${JSON.stringify(problem)}`),
    ...unchecked.map((entry) => `${entry} was not checked for types`),
  ];
}
