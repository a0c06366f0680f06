// One trade of a transaction: what it got for what, and what happened beside it.
import type { ReactNode } from 'react';
import { count, displayText, exactCount, short, tokens, when } from '../format.js';
import { market } from '../market/api.js';
import type { Receipt } from '../market/types.js';
import { useLoad } from '../market/use-load.js';
import { CopyAddress, Wallet } from '../parts/address.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { Picture } from '../parts/art.js';
import { ExplorerLink, Link } from '../parts/link.js';
import { receiptWords as copy } from '../words/receipt.js';
import type { KeptOrder } from './orders.js';

type Item = Receipt['items'][number];

export function TradeReceipt({
  trade,
  place,
  of,
  beside,
  order,
}: Item & { readonly order: KeptOrder | undefined }) {
  const { mint, isBuy, solAmount, tokenAmount, fee, trader, venue, timestamp, slot, finalized, signature } =
    trade;
  const { data: token } = useLoad(mint, (options) => market.token(mint, options));
  const symbol = displayText(token?.symbol ?? '');
  const amount = (isTokens: boolean, value: string) =>
    isTokens ? <Tokens units={value} symbol={symbol} /> : <Sol lamports={value} flash={false} />;
  const rows: readonly (readonly [string, ReactNode])[] = [
    ...(order === undefined
      ? []
      : ([
          [copy.quoted, amount(isBuy, order.quoted)],
          [copy.least, amount(isBuy, order.least)],
        ] as const)),
    [copy.got, amount(isBuy, isBuy ? tokenAmount : solAmount)],
    [isBuy ? copy.paid : copy.gave, amount(!isBuy, isBuy ? solAmount : tokenAmount)],
    [copy.fee, amount(false, fee)],
    [copy.price, `${short(Number(solAmount) / 1e3 / Number(tokenAmount))} SOL`],
    [copy.wallet, <Wallet address={trader} />],
    [copy.where, copy.venue[venue]],
    [copy.time, when(timestamp)],
    [copy.slot, exactCount(slot)],
    [copy.place, of === 1 ? copy.only : copy.among(count(place), count(of))],
    [copy.state, finalized ? copy.final : copy.confirmed],
    [
      copy.transaction,
      <>
        <CopyAddress address={signature} what={copy.signature} /> <ExplorerLink path={`tx/${signature}`} />
      </>,
    ],
  ];
  return (
    <article className="card receipt" data-testid="receipt">
      <div className="receipt-head">
        <Picture mint={mint} image={token?.image ?? null} size={48} />
        <div>
          <h1>{(isBuy ? copy.bought : copy.sold)(tokens(tokenAmount), symbol)}</h1>
          <Link className="muted" href={`/t/${mint}`}>
            {displayText(token?.name ?? '')}
          </Link>
        </div>
      </div>
      <Around trade={trade} beside={beside} />
      <dl className="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

/** A fact, not an accusation: two trades of one wallet can stand around another by chance. */
function Around({ trade, beside }: Pick<Item, 'trade' | 'beside'>) {
  const [before, after] = beside;
  if (before === undefined || before.trader !== after?.trader || before.trader === trade.trader) return null;
  const sideOf = (isBuy: boolean) => copy.sides[isBuy ? 'buy' : 'sell'];
  return (
    <p className="alert warn" data-testid="around">
      {copy.around(sideOf(before.isBuy), sideOf(after.isBuy))} <Wallet address={before.trader} />
    </p>
  );
}
