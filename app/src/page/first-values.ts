// What the page draws first. It asks the APIs for the same, but need not wait for their answers.
import { withTimeout } from '@curvekit/sdk';
import type { MarketConfig } from '../market/config.js';
import type { Token } from '../market/reads/token.js';

/** Longest that a document waits for the node: a page whose service cannot reach it asks by itself, and says so. */
const MOST_WAIT_MS = 200;

export interface FirstValues {
  /** Without the clock: a document that a browser has kept may be old. */
  readonly config: Omit<Awaited<ReturnType<MarketConfig['read']>>, 'clusterTime'>;
  /** The token that the path names. */
  readonly token?: Awaited<ReturnType<MarketConfig['withPoolPage']>>;
}

/** Undefined while the node does not answer. */
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

/** An element of data: browsers run nothing of it, so the security policy allows it. A name with `</script>` cannot end it. */
export function dataElement(values: FirstValues): string {
  const json = JSON.stringify(values).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="first">${json}</script>`;
}
