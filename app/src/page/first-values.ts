// The data that the page draws first. The page also requests it from the APIs, but need not wait for their answers.
import { withTimeout } from '@curvekit/sdk';
import type { MarketConfig } from '../market/config.js';
import type { Token } from '../market/reads/token.js';
import { tokenPage } from '../market/reads/tokens.js';
import type { Database } from '../db/database.js';
import { Cache } from '../base/cached-value.js';

/** Longest wait of a document for the RPC node. After that, the page requests the data itself and shows the problem. */
const MOST_WAIT_MS = 200;

export interface FirstValues {
  /** Without the clock and the age, because a cached document may be old. */
  readonly config: Omit<Awaited<ReturnType<MarketConfig['read']>>, 'clusterTime' | 'solUsdAge'>;
  readonly token?: Awaited<ReturnType<MarketConfig['withPoolPage']>>;
  /** Those closest to graduation: the board draws them above all others, or begins without them. */
  readonly soon?: Awaited<ReturnType<typeof tokenPage>>;
}

const SOON = 3;
const KEPT_MS = 2_000;

/** The board's first values. Pages have no rate limit, so not every one may query the database. */
export function cachedSoon(database: Database): () => Promise<FirstValues['soon']> {
  const kept = new Cache<FirstValues['soon']>(KEPT_MS, 1);
  const read = () =>
    database.read((db) => tokenPage(db, { sort: 'progress', status: 'trading', limit: SOON }));
  return () => kept.get('soon', read);
}

/** Undefined while the RPC node or the database does not answer. */
export async function firstValues(
  market: MarketConfig,
  { token, soon }: { readonly token?: Token | undefined; readonly soon?: Promise<FirstValues['soon']> },
): Promise<FirstValues | undefined> {
  const read = Promise.all([market.read(), token && market.withPoolPage(token), soon]);
  const values = await withTimeout(read, MOST_WAIT_MS, 'the node').catch(() => undefined);
  if (values === undefined) return undefined;
  const [{ clusterTime, solUsdAge, ...config }, shown, closest] = values;
  void [clusterTime, solUsdAge];
  return { config, ...(shown && { token: shown }), ...(closest && { soon: closest }) };
}

/** A data element. Browsers do not run it, so the security policy allows it. A name with `</script>` cannot end it. */
export function dataElement(values: FirstValues): string {
  const json = JSON.stringify(values).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="first">${json}</script>`;
}
