// "Checked by your browser": what the token's mint account says on chain of its supply and of freezing, and whether the trades lead
// to what its curve holds.
import { rpc, rpcUrlOf } from '../chain/rpc.js';
import { useConfig } from '../config.js';
import { exactCount, tokens } from '../format.js';
import type { TokenSummary } from '../market/types.js';
import { useLoad } from '../market/use-load.js';
import { detailWords as copy } from '../words/token-details.js';
import { Replayed } from './replayed.js';

interface Mint {
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
  readonly supply: string;
}

interface Answer {
  readonly context: { readonly slot: number };
  readonly value: { readonly data: { readonly parsed?: { readonly info: Mint } } } | null;
}

export default function Checked({ token }: { readonly token: TokenSummary }) {
  return (
    <div className="checked">
      <CheckedMint mint={token.mint} />
      <Replayed token={token} />
    </div>
  );
}

function CheckedMint({ mint }: Pick<TokenSummary, 'mint'>) {
  const config = useConfig();
  const { data, problem } = useLoad(mint, () =>
    rpc<Answer>(rpcUrlOf(config), 'getAccountInfo', [
      mint,
      { encoding: 'jsonParsed', commitment: 'confirmed' },
    ]),
  );
  if (problem !== undefined) return <p className="muted small">{copy.unchecked}</p>;
  if (data === undefined) return <p className="muted small">{copy.checking}</p>;
  const info = data.value?.data.parsed?.info;
  if (info === undefined) return <p className="down small">{copy.noMint}</p>;
  const { mintAuthority, freezeAuthority, supply } = info;
  // Tokens may be burnt, never made.
  const isMade = mintAuthority !== null || BigInt(supply) > BigInt(config.supply);
  return (
    <p className="small" data-testid="checked">
      {copy.checked(exactCount(data.context.slot))}{' '}
      <span className={isMade ? 'down' : undefined}>
        {isMade ? copy.mintable : copy.notMintable(tokens(supply))}
      </span>{' '}
      <span className={freezeAuthority === null ? undefined : 'down'}>
        {freezeAuthority === null ? copy.notFreezable : copy.freezable}
      </span>
    </p>
  );
}
