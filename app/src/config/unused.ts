// Variables that are set and do nothing: misspelt ones, and those whose partner is missing.

/** Shorter names are like too many others. */
const SHORTEST_NAME = 6;
const MOST_TYPOS = 2;

export interface UnusedVariable {
  readonly name: string;
  /** Continues "NAME …". */
  readonly reason: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is used only without, or only with, another one. */
const DEPENDENT: readonly (readonly [name: string, mode: 'with' | 'without', other: string])[] = [
  ['DATABASE_POOL_SIZE', 'with', 'DATABASE_URL'],
  ['DATABASE_REPLICA_URLS', 'with', 'DATABASE_URL'],
  ['DATABASE_FOLDER', 'without', 'DATABASE_URL'],
  ['WEB_WS_URL', 'with', 'WEB_RPC_URL'],
  ['CLIENT_WS_URL', 'with', 'CLIENT_RPC_URL'],
  ['YELLOWSTONE_TOKEN', 'with', 'YELLOWSTONE_URL'],
  ['UPLOADS_FOLDER', 'without', 'UPLOADS_BUCKET'],
  ['UPLOADS_BUCKET_ENDPOINT', 'with', 'UPLOADS_BUCKET'],
  ['UPLOADS_BUCKET_REGION', 'with', 'UPLOADS_BUCKET'],
  ['SOL_PRICE_POINTER', 'with', 'SOL_PRICE_URL'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'with', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['OTEL_SERVICE_NAME', 'with', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['OTEL_TRACES_SAMPLER', 'with', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['OTEL_TRACES_SAMPLER_ARG', 'with', 'OTEL_TRACES_SAMPLER'],
];

/** @param known names of every variable that is read */
export function unusedVariables(environment: Environment, known: readonly string[]): UnusedVariable[] {
  const isSet = (name: string) => (environment[name] ?? '').trim() !== '';
  const misspelt = Object.keys(environment)
    .filter((name) => isSet(name) && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known);
      return meant === undefined ? [] : [{ name, reason: `is not used; did you mean ${meant}?` }];
    });
  const dependent = DEPENDENT.filter(
    ([name, mode, other]) => isSet(name) && isSet(other) === (mode === 'without'),
  ).map(([name, mode, other]) => ({
    name,
    reason: `is not used ${mode === 'with' ? `without ${other}` : `beside ${other}`}`,
  }));
  return [...misspelt, ...dependent];
}

/** The variable that a name looks like. */
function nearest(given: string, known: readonly string[]): string | undefined {
  // A byte order mark or a quote can stand before it.
  const name = given.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '');
  if (known.includes(name)) return name;
  const long = known.filter((candidate) => candidate.length >= SHORTEST_NAME);
  const extended = long.find(
    (candidate) => name.startsWith(`${candidate}_`) || name.endsWith(`_${candidate}`),
  );
  const typo = long
    .map((candidate) => ({ candidate, typos: distance(name, candidate) }))
    .filter(({ typos }) => typos <= MOST_TYPOS)
    .sort((a, b) => a.typos - b.typos)[0]?.candidate;
  return typo ?? extended;
}

/** Letters to add, remove or change to make one of the other. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_TYPOS) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min(row[j]! + (letter === b[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    row = next;
  }
  return row[b.length]!;
}
