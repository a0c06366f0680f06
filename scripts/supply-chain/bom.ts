// CycloneDX documents: their order and what makes them valid.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';

/** The version that `npm sbom` writes. */
export const SPEC_VERSION = '1.5';

export interface Component {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
  readonly purl?: string;
  readonly licenses?: readonly Licence[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

type Licence =
  { readonly expression: string } | { readonly license: { readonly id?: string; readonly name?: string } };

export interface Bom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: string;
  readonly serialNumber?: string;
  readonly version: number;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/**
 * The document in a fixed order, without the time and with a serial number made of its content: the same lockfile always
 * gives the same bytes.
 */
export function deterministic(bom: Bom): Bom {
  const { timestamp: _, ...metadata } = bom.metadata;
  const sorted = {
    ...bom,
    metadata: { ...metadata, component: bom.metadata.component },
    components: bom.components.toSorted(by((component) => component['bom-ref'])),
    dependencies: bom.dependencies
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: [...new Set(dependsOn)].toSorted() }))
      .toSorted(by(({ ref }) => ref)),
  };
  delete sorted.serialNumber;
  return { ...sorted, serialNumber: serialNumber(JSON.stringify(sorted)) };
}

/** What makes the document invalid: the schema's errors, references that lead nowhere, two components of one name. */
export function problemsOf(bom: Bom): string[] {
  const validate = schema();
  const problems = validate(bom)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  const refs = new Set([bom.metadata.component['bom-ref']]);
  for (const { 'bom-ref': ref } of bom.components) {
    if (refs.has(ref)) problems.push(`two components are ${ref}`);
    refs.add(ref);
  }
  for (const { ref, dependsOn = [] } of bom.dependencies)
    for (const name of [ref, ...dependsOn])
      if (!refs.has(name)) problems.push(`${ref} depends on ${name}, which is not a component`);
  return problems;
}

/** A UUID of version 8 (RFC 9562: its bits are the maker's own) from the content's hash. */
function serialNumber(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}`;
}

function by<T>(key: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}

/** CycloneDX's own schema, with the two that it refers to. */
function schema() {
  const library = createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json');
  const read = (name: string): object =>
    JSON.parse(readFileSync(join(dirname(library), 'res', 'schema', name), 'utf8')) as object;
  // The formats are those of addresses and times. npm writes what package.json says, such as `git@` for an address.
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
    ajv.addSchema(read(name), `http://cyclonedx.org/schema/${name}`);
  return ajv.compile(read(`bom-${SPEC_VERSION}.SNAPSHOT.schema.json`));
}
