import { lazy, Suspense } from 'react';
import { finePercent } from '../format.js';
import { words } from '../words/words.js';
import { HIGH_SLIPPAGE_BPS, type Form } from './use-form.js';

const Choices = lazy(() => import('./slippage-choices.js'));

/** The slippage setting: how much worse than quoted the price may be. */
export function Slippage({ form }: { readonly form: Form }) {
  const { slippageBps, choosing, set } = form;
  return (
    <details className="slippage" open={choosing}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          set({ choosing: !choosing });
        }}
      >
        <span>{words.trade.slippage}</span>
        <span className={slippageBps > HIGH_SLIPPAGE_BPS ? 'gold strong' : 'strong'}>
          {finePercent(slippageBps)}
        </span>
      </summary>
      {choosing && (
        <Suspense>
          <Choices form={form} />
        </Suspense>
      )}
    </details>
  );
}
