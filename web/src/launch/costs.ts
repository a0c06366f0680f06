// Lamports that a launch costs its creator.
import { TOKEN_ACCOUNT_BYTES, type Rent } from '../chain/rent.js';
import { isLocal } from '../config.js';
import type { MarketConfig } from '../market/types.js';

const [MINT_BYTES, CURVE_BYTES] = [82, 29];
/** Of the older program on local clusters, and of the one on public clusters. */
const [LOCAL_METADATA_BYTES, METADATA_BYTES] = [679, 607];
const TWO_SIGNATURES = 10_000n;
/** Metaplex's fee for new metadata on public clusters. The older program on local clusters charges no fee. */
const METADATA_FEE = 10_000_000n;

/** Everything but the first buy. */
export function costOf(config: MarketConfig, rent: Rent, hasFirstBuy: boolean): bigint {
  const fee = isLocal(config) ? 0n : METADATA_FEE;
  const metadata = isLocal(config) ? LOCAL_METADATA_BYTES : METADATA_BYTES;
  const created = [MINT_BYTES, CURVE_BYTES, metadata].reduce((sum, bytes) => sum + rent(bytes), 0n);
  // The vault, two community storages, and the creator's own account for a first buy.
  const accounts = (hasFirstBuy ? 4n : 3n) * rent(TOKEN_ACCOUNT_BYTES);
  return TWO_SIGNATURES + fee + created + accounts;
}
