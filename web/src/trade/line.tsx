// What a trade gives, and by how much it moves its own price.
import { isNoChange, percent } from '../format.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { Filled } from '../parts/filled.js';
import { words } from '../words/words.js';
import type { Parts } from './parts.js';

const copy = words.trade;
const HIGH_IMPACT_BPS = 500;

interface LineProps extends Parts {
  readonly isReading: boolean;
}

export function Line({ token, quote, form, symbol, isReading }: LineProps) {
  return (
    <output className="line" aria-atomic="false">
      {quote !== undefined ? (
        <Sentence token={token} quote={quote} unit={form.values.unit} symbol={symbol} />
      ) : (
        isReading && <span className="muted">{copy.loadingPool}</span>
      )}
    </output>
  );
}

interface SentenceProps extends Pick<Parts, 'token'> {
  readonly quote: NonNullable<Parts['quote']>;
  readonly unit: 'sol' | 'token';
  readonly symbol: string;
}

function Sentence({ token: { feeShare, venue }, quote, unit, symbol }: SentenceProps) {
  const { side, sol, token, least, worseBps, priceChangeBps, impactBps, graduates, rest } = quote;
  const isBack = feeShare.kind === 'traders' && venue === 'curve';
  const back = isBack ? (quote.fee * BigInt(feeShare.bps)) / 10_000n : 0n;
  const out = unit === 'sol' ? <Tokens units={token} symbol={symbol} /> : <Sol lamports={sol} />;
  return (
    <>
      <Filled
        text={copy.line[side][unit]}
        of={{
          out: <strong data-testid="out">{out}</strong>,
          least: side === 'buy' ? <Tokens units={least} /> : <Sol lamports={least} />,
          symbol,
        }}
      />
      {!isNoChange(priceChangeBps) && (
        <span className={impactBps >= HIGH_IMPACT_BPS ? 'gold' : undefined} data-testid="impact">
          <Filled
            text={copy.impact[side]}
            of={{ worse: <Percent bps={worseBps} />, move: <Percent bps={Math.abs(priceChangeBps)} /> }}
          />
        </span>
      )}
      {back > 0n && (
        <>
          {' '}
          <Filled text={copy.back} of={{ back: <Sol lamports={back} /> }} />
        </>
      )}
      {graduates && (
        <span className="gold" data-testid="graduates">
          {' '}
          {copy.graduates} {rest > 0n && <Filled text={copy.stays} of={{ rest: <Sol lamports={rest} /> }} />}
        </span>
      )}
    </>
  );
}

const Percent = ({ bps }: { readonly bps: number }) => <span className="whole">{percent(bps)}</span>;
