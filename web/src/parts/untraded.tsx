// Tokens that came to a wallet, or left it, without a trade.
import { tokens } from '../format.js';
import { walletWords as copy } from '../words/wallet-page.js';

/** Base units below a token: the dust of a trade's rounding. */
const DUST = 1_000_000n;

export const isDust = (units: bigint) => units > -DUST && units < DUST;

export function Untraded({ units }: { readonly units: bigint }) {
  if (isDust(units)) return null;
  const text = tokens(units < 0n ? -units : units);
  return <div className="muted small">{units > 0n ? copy.came(text) : copy.left(text)}</div>;
}
