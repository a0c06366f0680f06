import { useState } from 'react';
import { finePercent } from '../format.js';
import { slippageWords as copy } from '../words/trade-details.js';
import { words } from '../words/words.js';
import { parseAmount } from './amount-text.js';
import { HIGH_SLIPPAGE_BPS, MOST_SLIPPAGE_BPS, type Form } from './use-form.js';

const CHOICES = [50, 100, 300, 1_000];

export default function SlippageChoices({ form: { values, set } }: { readonly form: Form }) {
  const { slippageBps } = values;
  const [own, setOwn] = useState('');
  const type = (text: string) => {
    setOwn(text);
    const bps = parseAmount(text, 2);
    if (bps !== undefined) set({ slippageBps: Number(bps) });
  };
  return (
    <>
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
        aria-label={copy.own}
        placeholder={copy.own}
        value={own}
        maxLength={6}
        aria-invalid={slippageBps > MOST_SLIPPAGE_BPS}
        onChange={(event) => type(event.target.value)}
      />
      <p className="muted small">{copy.hint}</p>
      {slippageBps > MOST_SLIPPAGE_BPS ? (
        <p className="down small">{words.trade.slippageTooHigh}</p>
      ) : (
        slippageBps > HIGH_SLIPPAGE_BPS && <p className="gold small">{copy.high}</p>
      )}
    </>
  );
}
