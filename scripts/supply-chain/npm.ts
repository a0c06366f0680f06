// The npm packages, from package-lock.json: those of every platform, installed or not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { CommandError } from '../command-line.js';
import { ROOT } from '../program/paths.js';
import { deterministic, SPEC_VERSION, type Bom, type Component } from './bom.js';

interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  /** A workspace of this repository. */
  readonly link?: boolean;
}

export function npmBom(folder = ROOT): Bom {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--loglevel', 'error'];
  const { status, stdout, stderr, error } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new CommandError(`npm ${args.join(' ')}: ${error?.message ?? stderr}`);
  const bom = JSON.parse(stdout) as Bom;
  if (bom.specVersion !== SPEC_VERSION)
    throw new CommandError(`npm sbom wrote CycloneDX ${bom.specVersion}, not ${SPEC_VERSION}`);
  const { component } = bom.metadata;
  return deterministic({
    ...bom,
    metadata: {
      ...bom.metadata,
      // npm gives the folder's name, and its own version.
      tools: [{ vendor: 'npm', name: 'cli' }],
      component: { ...component, name: component['bom-ref'].replace(/@[^@]*$/, '') },
    },
    components: once(bom.components),
  });
}

/** npm lists a package again for each folder that it is installed in. */
function once(components: readonly Component[]): Component[] {
  return [...new Map(components.map((component) => [component['bom-ref'], component])).values()];
}

/**
 * Packages that come from elsewhere than the registry, or whose content is not fixed by a hash. The lockfile gives an
 * address only for the former.
 */
export function npmSourceProblems(
  { packages }: Lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile,
): string[] {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .flatMap(([path, { resolved, integrity }]) => [
      ...(resolved === undefined ? [] : [`${path} comes from ${resolved}`]),
      ...(integrity?.startsWith('sha512-') === true ? [] : [`${path} has no SHA-512 hash`]),
    ]);
}
