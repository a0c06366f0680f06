/** `npm run check:supply-chain`: what the repository depends on, where it comes from, and under which licences. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import parse from 'spdx-expression-parse';
import { CommandError, runCommand } from './command-line.js';
import { ROOT } from './program/paths.js';

export const RUST_WORKSPACES = ['.', 'crates', 'proofs', 'tests/fuzz/programs'];

export interface Locked {
  readonly name: string;
  /** As it states it. */
  readonly licence: string | undefined;
  /** Where it comes from, if not from its registry. */
  readonly from: string | undefined;
  readonly isHashed: boolean;
}

export interface Exception {
  readonly why: string;
  /** Licences that are not allowed otherwise, by package: its name, or its beginning if it ends in `*`. */
  readonly licences: Readonly<Record<string, string | undefined>>;
}

const EXCEPTIONS: readonly Exception[] = [
  {
    why: "MIT by its LICENSE's text",
    licences: { busboy: undefined, streamsearch: undefined, eyes: undefined },
  },
  {
    why: 'MIT by its readme; only tests use it',
    licences: { only: undefined, 'humanize-number': undefined },
  },
  { why: "the Unlicense by its LICENSE.md's text", licences: { 'text-encoding-utf-8': undefined } },
  {
    why: 'given to the public domain, as CC0-1.0; of standardwebhooks',
    licences: { 'fast-sha256': 'Unlicense' },
  },
  { why: 'a list of names; only tools use it', licences: { 'spdx-exceptions': 'CC-BY-3.0' } },
  { why: 'only tests and tools use it; asks for a notice', licences: { argparse: 'Python-2.0' } },
  {
    why: "the page's fonts, which may be served with it but not sold alone",
    licences: { '@fontsource-variable/*': 'OFL-1.1' },
  },
  {
    why: 'only tests and builds use it, unchanged',
    licences: {
      '@axe-core/playwright': 'MPL-2.0',
      'axe-core': 'MPL-2.0',
      'lightningcss*': 'MPL-2.0',
      'rollup-plugin-dts': 'LGPL-3.0-only',
    },
  },
  {
    why: '@solana/web3.js needs it; unchanged, a package of its own that a user can replace',
    licences: { 'rpc-websockets': 'LGPL-3.0-only' },
  },
  {
    why: 'the decoder of pictures: unchanged, a shared library that an operator can replace',
    licences: {
      '@img/sharp-libvips-*': 'LGPL-3.0-or-later',
      '@img/sharp-win32-*': 'Apache-2.0 AND LGPL-3.0-or-later',
      '@img/sharp-wasm32': 'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
    },
  },
];

interface NpmLockfile {
  readonly packages: Readonly<
    Record<string, { name?: string; license?: string; resolved?: string; integrity?: string; link?: boolean }>
  >;
}

/** The lockfile gives an address only for packages that come from elsewhere than the registry. */
export const npmPackages = (
  { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as NpmLockfile,
): Locked[] =>
  Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, { name = path.replace(/^.*node_modules\//, ''), license, resolved, integrity = '' }]) => ({
      ...{ name, licence: license, from: resolved },
      isHashed: integrity.startsWith('sha512-'),
    }));

interface CargoMetadata {
  /** Without a source: a crate of this repository. Old crates separate alternative licences by `/`. */
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    readonly license: string | null;
    readonly source: string | null;
  }[];
}

/** The crates of every platform, used here or not. */
export function crates(folder: string, metadata?: CargoMetadata): Locked[] {
  const args = ['metadata', '--format-version', '1', '--locked'];
  const { packages } = metadata ?? (JSON.parse(output('cargo', args, folder)) as CargoMetadata);
  const lockfile = readFileSync(join(ROOT, folder, 'Cargo.lock'), 'utf8');
  return packages.flatMap(({ name, version, license, source }) => {
    if (source === null) return [];
    const locked = new RegExp(
      `^name = "${name}"\nversion = "${version.replaceAll('+', '\\+')}"\nsource = ".+"\nchecksum = "[0-9a-f]{64}"$`,
      'm',
    );
    return {
      name: `${name} ${version}`,
      licence: license?.replace(/\s*\/\s*/g, ' OR '),
      from: /^registry\+.*\/crates\.io-index$/.test(source) ? undefined : source,
      isHashed: locked.test(lockfile),
    };
  });
}

/** The licences that every package may have: those of deny.toml. A list of texts in TOML is JSON, but for its last comma. */
function allowedLicences(): ReadonlySet<string> {
  const [, list] = /^allow = (\[[^\]]*\])/m.exec(readFileSync(join(ROOT, 'deny.toml'), 'utf8'))!;
  return new Set(JSON.parse(list!.replace(/,\s*\]$/, ']')) as string[]);
}

export function problemsOf(
  locked: readonly Locked[],
  allowed: ReadonlySet<string>,
  exceptions: readonly Exception[],
): string[] {
  const excused = exceptions.flatMap(({ licences }) => Object.entries(licences));
  const isExcused = ([name, of]: (typeof excused)[number], one: Locked): boolean =>
    of === one.licence && (name.endsWith('*') ? one.name.startsWith(name.slice(0, -1)) : one.name === name);
  return [
    ...locked.flatMap((one) => [
      ...(one.from === undefined ? [] : [`${one.name} comes from ${one.from}`]),
      ...(one.isHashed ? [] : [`${one.name} has no hash in its lockfile`]),
      ...(isAllowed(one.licence, allowed) || excused.some((exception) => isExcused(exception, one))
        ? []
        : [
            `${one.name} has the licence ${one.licence ?? 'of no SPDX name'}: use another package, or add an exception with its reason to scripts/supply-chain.ts`,
          ]),
    ]),
    ...excused
      .filter((exception) => !locked.some((one) => isExcused(exception, one)))
      .map(([name]) => `no package needs the exception for ${name}: remove it`),
  ];
}

function isAllowed(licence: string | undefined, allowed: ReadonlySet<string>): boolean {
  const holds = (part: parse.Info): boolean =>
    'conjunction' in part
      ? part.conjunction === 'or'
        ? holds(part.left) || holds(part.right)
        : holds(part.left) && holds(part.right)
      : allowed.has(part.exception === undefined ? part.license : `${part.license} WITH ${part.exception}`);
  try {
    return licence !== undefined && holds(parse(licence));
  } catch {
    return false;
  }
}

/** Errors of the network, and of Sigstore's key files. `EMISSINGSIGNATUREKEY` counts as wrong: one package's key is missing. */
const UNREACHABLE =
  /code (E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|5\d\d)|ERR_SOCKET_TIMEOUT|TUF_\w+)$|found no dependencies to audit that were installed from a supported registry/m;

/** What `npm audit signatures` says. @throws CommandError for a wrong or missing signature, and for an error that is not known */
export function signaturesOf(status: number | null, stdout: string, stderr: string): string {
  if (status === 0)
    return stdout
      .split('\n')
      .filter((line) => / verified /.test(line))
      .join(', ');
  const faults = stdout.search(/^\d+ packages? (has|have) (an? )?(missing|invalid) /m);
  const unreachable = UNREACHABLE.exec(stderr);
  if (faults < 0 && unreachable !== null) return `signatures unchecked: ${unreachable[0]}`;
  throw new CommandError(`npm audit signatures: ${faults < 0 ? stderr.trim() : stdout.slice(faults).trim()}`);
}

/** What to tell when cargo-deny does not run. Undefined when it is on PATH. */
export function missingCargoDeny(): string | undefined {
  const { status } = spawnSync('cargo-deny', ['--version'], { stdio: 'ignore' });
  return status === 0 ? undefined : 'without cargo-deny: `cargo install cargo-deny --locked` gets it';
}

function output(command: string, args: readonly string[], folder = '.'): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: join(ROOT, folder),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return stdout;
  throw new CommandError(`${command} ${args.join(' ')} in ${folder}: ${error?.message ?? stderr}`);
}

export function checkSupplyChain(): string[] {
  const locked = [...npmPackages(), ...RUST_WORKSPACES.flatMap((folder) => crates(folder))];
  const problems = problemsOf(locked, allowedLicences(), EXCEPTIONS);
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  const missing = missingCargoDeny();
  // Without `advisories`, which needs a database from the network.
  const denied = ['deny', '--locked', 'check', 'bans', 'licenses', 'sources'];
  if (missing === undefined) for (const folder of RUST_WORKSPACES) output('cargo', denied, folder);
  return [
    `${locked.length} packages and crates: licences, sources and hashes as they must be`,
    missing ?? 'cargo-deny agrees',
  ];
}

if (process.argv[1] === import.meta.filename)
  runCommand('npm run check:supply-chain', () => {
    console.log(checkSupplyChain().join('\n'));
    const args = ['audit', 'signatures', '--no-color', '--fetch-retries=1', '--fetch-timeout=20000'];
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
    console.log(signaturesOf(status, stdout, stderr));
  });
