import { useState } from 'react';
import { finePercent } from '../format.js';
import { words } from '../words/words.js';
import { cleaned, parseAmount } from './amount-text.js';
import { MOST_SLIPPAGE_BPS, type Form } from './use-form.js';

const copy = words.trade;
const CHOICES = [50, 100, 300, 1_000];
const HIGH_BPS = 500;

/** How much worse the price may be than quoted. */
export function Slippage({ form: { slippageBps, set } }: { readonly form: Form }) {
  const [own, setOwn] = useState('');
  const type = (text: string) => {
    setOwn(text);
    const bps = parseAmount(text, 2);
    if (bps !== undefined) set({ slippageBps: Number(bps) });
  };
  return (
    <details className="slippage">
      <summary>
        <span>{copy.slippage}</span>
        <span className={slippageBps > HIGH_BPS ? 'gold strong' : 'strong'}>{finePercent(slippageBps)}</span>
      </summary>
      <div className="chips">
        {CHOICES.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === slippageBps}
            onClick={() => {
              setOwn('');
              set({ slippageBps: each });
            }}
          >
            {finePercent(each)}
          </button>
        ))}
      </div>
      <input
        className="own"
        inputMode="decimal"
        autoComplete="off"
        aria-label={copy.ownSlippage}
        placeholder={copy.ownSlippage}
        value={own}
        maxLength={6}
        aria-invalid={slippageBps > MOST_SLIPPAGE_BPS}
        onChange={(event) => type(cleaned(event.target.value))}
      />
      <p className="muted small">{copy.slippageHint}</p>
      {slippageBps > MOST_SLIPPAGE_BPS ? (
        <p className="down small">{copy.slippageTooHigh}</p>
      ) : (
        slippageBps > HIGH_BPS && <p className="gold small">{copy.slippageHigh}</p>
      )}
    </details>
  );
}
