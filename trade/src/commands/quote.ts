// `quote buy|sell MINT`
import type { Command } from 'commander';
import { quoteBuy, quoteBuyExactOut, quoteSell, quoteSellExactOut } from '@curvekit/sdk';
import { work, type Registration, type Session } from '../command.js';
import { orderOf, slippageOf, withAmounts } from '../order.js';
import { requireMarket, venueText } from '../markets.js';
import { percentText, priceText, solText, tokenText, type Facts } from '../output.js';
import { address, oneOf } from '../values.js';

/** A quote of either side. Amounts are lamports and token base units. */
interface Quote {
  readonly solAmount: bigint;
  readonly tokenAmount: bigint;
  /** The limit that a trade would have. */
  readonly limit: Facts[number];
  readonly document: object;
}

export function registerQuote(program: Command, registration: Registration): void {
  const command = program
    .command('quote')
    .description('what a trade would give now, on the curve or in the pool; needs no key')
    .argument('<side>', 'buy or sell')
    .argument('<mint>', 'address of the token');
  work(withAmounts(command), registration, runQuote);
}

async function runQuote(session: Session): Promise<void> {
  const side = oneOf('side', session.args[0]!, ['buy', 'sell']);
  const mint = address('mint', session.args[1]!);
  const order = orderOf(session.options, side);
  const slippageBps = slippageOf(session.options);
  const market = await requireMarket(session, mint);
  const amount = order.amount as bigint;
  const { priceBefore, priceAfter, priceImpactBps, fee, ...quote } =
    side === 'buy'
      ? order.isExactOut
        ? buyOf(quoteBuyExactOut(market, amount, 0), quoteBuyExactOut(market, amount, slippageBps))
        : buyOf(quoteBuy(market, amount, slippageBps))
      : order.isExactOut
        ? sellOf(quoteSellExactOut(market, amount, 0), quoteSellExactOut(market, amount, slippageBps))
        : sellOf(quoteSell(market, amount, slippageBps));
  const { solAmount, tokenAmount, limit, document } = quote;
  const { venue } = market;
  session.print(
    { side, mint, venue, solAmount, tokenAmount, ...document, fee, priceBefore, priceAfter, priceImpactBps },
    [
      [side, `${tokenText(tokenAmount)} for ${solText(solAmount)}, ${venueText(venue)}`],
      limit,
      ['fee', `${solText(fee)}, included`],
      ['price', `${priceText(priceBefore)} before, ${priceText(priceAfter)} after`],
      ['price impact', percentText(priceImpactBps)],
    ],
  );
}

type BuyQuote = ReturnType<typeof quoteBuy>;
type SellQuote = ReturnType<typeof quoteSell>;
type Prices = Pick<BuyQuote, 'priceBefore' | 'priceAfter' | 'priceImpactBps' | 'fee'>;

/** @param bound the same quote with slippage, for an exact amount of tokens */
function buyOf(quote: BuyQuote, bound?: BuyQuote): Quote & Prices {
  const { solSpent, tokenOut, minTokenToReceive } = quote;
  const limits =
    bound === undefined
      ? { limit: ['at least', tokenText(minTokenToReceive)] as const, document: { minTokenToReceive } }
      : {
          limit: ['at most', solText(bound.solToSpend)] as const,
          document: { maxSolToSpend: bound.solToSpend },
        };
  return { ...quote, solAmount: solSpent, tokenAmount: tokenOut, ...limits };
}

/** @param bound the same quote with slippage, for an exact amount of SOL */
function sellOf(quote: SellQuote, bound?: SellQuote): Quote & Prices {
  const { solOut, tokenToSpend, minSolToReceive } = quote;
  const limits =
    bound === undefined
      ? { limit: ['at least', solText(minSolToReceive)] as const, document: { minSolToReceive } }
      : {
          limit: ['at most', tokenText(bound.tokenToSpend)] as const,
          document: { maxTokenToSpend: bound.tokenToSpend },
        };
  return { ...quote, solAmount: solOut, tokenAmount: tokenToSpend, ...limits };
}
