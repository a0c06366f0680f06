import { finePercent } from '../format.js';
import { part } from '../part.js';
import { words } from '../words/words.js';
import { HIGH_SLIPPAGE_BPS, type Form } from './use-form.js';

const Choices = part(() => import('./slippage-choices.js'));

/** The slippage setting: how much worse than quoted the price may be. */
export function Slippage({ form }: { readonly form: Form }) {
  const { slippageBps, choosing, set } = form;
  return (
    <details className="fold slippage" open={choosing}>
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
      {choosing && <Choices form={form} />}
    </details>
  );
}
