// The data that the page draws first. The page also requests it from the APIs, but need not wait for their answers.
import { withTimeout } from '@curvekit/sdk';
import type { MarketConfig } from '../market/config.js';
import type { Token } from '../market/reads/token.js';

/** Longest wait of a document for the RPC node. After that, the page requests the data itself and shows the problem. */
const MOST_WAIT_MS = 200;

export interface FirstValues {
  /** Without the clock, because a cached document may be old. */
  readonly config: Omit<Awaited<ReturnType<MarketConfig['read']>>, 'clusterTime'>;
  /** The token of the path. */
  readonly token?: Awaited<ReturnType<MarketConfig['withPoolPage']>>;
}

/** Undefined while the RPC node does not answer. */
export async function firstValues(
  market: MarketConfig,
  token: Token | undefined,
): Promise<FirstValues | undefined> {
  const read = Promise.all([market.read(), token === undefined ? undefined : market.withPoolPage(token)]);
  const values = await withTimeout(read, MOST_WAIT_MS, 'the node').catch(() => undefined);
  if (values === undefined) return undefined;
  const [{ clusterTime, ...config }, shown] = values;
  void clusterTime;
  return shown === undefined ? { config } : { config, token: shown };
}

/** A data element. Browsers do not run it, so the security policy allows it. A name with `</script>` cannot end it. */
export function dataElement(values: FirstValues): string {
  const json = JSON.stringify(values).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="first">${json}</script>`;
}
