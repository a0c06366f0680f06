// Lamports that a launch costs its creator.
import { TOKEN_ACCOUNT_BYTES, type Rent } from '../chain/rent.js';
import { isLocal } from '../config.js';
import type { MarketConfig } from '../market/types.js';
import { firstBuyOf, type LaunchForm } from './words-of-form.js';

const [MINT_BYTES, CURVE_BYTES] = [82, 29];
/** Of the older program on local clusters, and of the one on public clusters. */
const [LOCAL_METADATA_BYTES, METADATA_BYTES] = [679, 607];
const TWO_SIGNATURES = 10_000n;
/** Metaplex's fee for new metadata on public clusters. The older program on local clusters charges no fee. */
const METADATA_FEE = 10_000_000n;

/** The first buy, and everything else. */
export function costsOf(
  form: LaunchForm,
  config: MarketConfig,
  rent: Rent,
): { readonly spent: bigint; readonly cost: bigint } {
  const spent = firstBuyOf(form, config).quote?.solSpent ?? 0n;
  const fee = isLocal(config) ? 0n : METADATA_FEE;
  const metadata = isLocal(config) ? LOCAL_METADATA_BYTES : METADATA_BYTES;
  const created = [MINT_BYTES, CURVE_BYTES, metadata].reduce((sum, bytes) => sum + rent(bytes), 0n);
  // The vault, two community storages, and the creator's own account for a first buy.
  const accounts = (spent > 0n ? 4n : 3n) * rent(TOKEN_ACCOUNT_BYTES);
  return { spent, cost: TWO_SIGNATURES + fee + created + accounts };
}
