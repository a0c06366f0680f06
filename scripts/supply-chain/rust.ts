// The crates of each Cargo.lock, from `cargo metadata`: those of every platform, used here or not.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../command-line.js';
import { ROOT } from '../program/paths.js';
import { deterministic, SPEC_VERSION, type Bom, type Component } from './bom.js';

/** The folders with a Cargo.lock, by the name of their document. */
export const RUST_WORKSPACES = {
  programs: '.',
  crates: 'crates',
  proofs: 'proofs',
  fuzz: 'tests/fuzz/programs',
} as const;
export type RustWorkspace = keyof typeof RUST_WORKSPACES;

interface Metadata {
  readonly packages: readonly Crate[];
  readonly workspace_members: readonly string[];
  readonly resolve: { readonly nodes: readonly { readonly id: string; readonly dependencies: string[] }[] };
}

export interface Crate {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. Old crates separate alternatives by `/`. */
  readonly license: string | null;
  /** Null for a crate of this repository. */
  readonly source: string | null;
}

export function cargoMetadata(workspace: RustWorkspace): Metadata {
  const args = ['metadata', '--format-version', '1', '--locked'];
  const { status, stdout, stderr, error } = spawnSync('cargo', args, {
    cwd: join(ROOT, RUST_WORKSPACES[workspace]),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new CommandError(`cargo ${args.join(' ')}: ${error?.message ?? stderr}`);
  return JSON.parse(stdout) as Metadata;
}

export function rustBom(workspace: RustWorkspace, metadata = cargoMetadata(workspace)): Bom {
  const checksums = lockedChecksums(workspace);
  const refs = new Map(metadata.packages.map((crate) => [crate.id, purlOf(crate)]));
  const root = `curvekit-${workspace}`;
  return deterministic({
    bomFormat: 'CycloneDX',
    specVersion: SPEC_VERSION,
    version: 1,
    metadata: {
      tools: [{ vendor: 'rust-lang', name: 'cargo' }],
      component: { type: 'application', name: root, version: '0.1.0', 'bom-ref': root },
    },
    components: metadata.packages.map((crate): Component => {
      const checksum = checksums.get(`${crate.name} ${crate.version}`);
      return {
        type: 'library',
        name: crate.name,
        version: crate.version,
        'bom-ref': purlOf(crate),
        purl: purlOf(crate),
        ...(checksum !== undefined && { hashes: [{ alg: 'SHA-256', content: checksum }] }),
        ...(crate.license !== null && { licenses: [{ expression: spdxOf(crate.license) }] }),
      };
    }),
    dependencies: [
      { ref: root, dependsOn: metadata.workspace_members.map((id) => refs.get(id)!) },
      ...metadata.resolve.nodes.map(({ id, dependencies }) => ({
        ref: refs.get(id)!,
        dependsOn: dependencies.map((dependency) => refs.get(dependency)!),
      })),
    ],
  });
}

/** Crates that come from elsewhere than crates.io, or whose content is not fixed by a hash. */
export function rustSourceProblems(
  workspace: RustWorkspace,
  { packages } = cargoMetadata(workspace),
): string[] {
  const checksums = lockedChecksums(workspace);
  return packages.flatMap(({ name, version, source }) =>
    source === null
      ? []
      : [
          ...(/^registry\+.*\/crates\.io-index$/.test(source)
            ? []
            : [`${name} ${version} comes from ${source}`]),
          ...(checksums.has(`${name} ${version}`) ? [] : [`${name} ${version} has no hash in Cargo.lock`]),
        ],
  );
}

const purlOf = ({ name, version }: Crate): string => `pkg:cargo/${name}@${version}`;
const spdxOf = (licence: string): string => licence.replace(/\s*\/\s*/g, ' OR ');

/** SHA-256 by name and version. */
function lockedChecksums(workspace: RustWorkspace): ReadonlyMap<string, string> {
  const lockfile = readFileSync(join(ROOT, RUST_WORKSPACES[workspace], 'Cargo.lock'), 'utf8');
  const entries = lockfile.matchAll(
    /^name = "(.+)"\nversion = "(.+)"\n(?:source = ".+"\n)checksum = "([0-9a-f]{64})"$/gm,
  );
  return new Map([...entries].map(([, name, version, checksum]) => [`${name} ${version}`, checksum!]));
}
