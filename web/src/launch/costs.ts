// Lamports that a launch costs its creator.
import { isLocal } from '../config.js';
import type { MarketConfig } from '../market/types.js';
import { TOKEN_ACCOUNT_RENT } from '../trade/reserve.js';
import { firstBuyOf, type LaunchForm } from './words-of-form.js';

/** Cost of `createToken` with rents and two signatures. Measured on a local cluster. */
const CREATION = 14_298_880n;
/** Metaplex's fee for new metadata on public clusters. The older program on local clusters charges no fee. */
const METADATA_FEE = 10_000_000n;

/** The first buy, and everything else. */
export function costsOf(
  form: LaunchForm,
  config: MarketConfig,
): { readonly spent: bigint; readonly cost: bigint } {
  const spent = firstBuyOf(form, config).quote?.solSpent ?? 0n;
  const fee = isLocal(config) ? 0n : METADATA_FEE;
  return { spent, cost: CREATION + fee + (spent > 0n ? TOKEN_ACCOUNT_RENT : 0n) };
}
