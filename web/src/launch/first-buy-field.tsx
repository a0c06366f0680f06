import { useConfig } from '../config.js';
import { percent } from '../format.js';
import { launchWords as copy } from '../words/launch.js';
import { TextField } from './text-field.js';
import { firstBuyOf, LARGE_BPS, type LaunchForm, shareOf } from './words-of-form.js';

const AMOUNTS = ['0', '0.1', '0.5', '1'];

interface FirstBuyFieldProps {
  readonly form: LaunchForm;
  readonly problem: string | undefined;
  readonly onChange: (firstBuy: string) => void;
}

export function FirstBuyField({ form, problem, onChange }: FirstBuyFieldProps) {
  const config = useConfig();
  const { quote } = firstBuyOf(form, config);
  const share = shareOf(quote?.tokenOut ?? 0n, config);
  return (
    <div className="field">
      <TextField
        label={`${copy.firstBuy}, SOL`}
        value={form.firstBuy}
        problem={problem}
        hint={copy.firstBuyHint}
        placeholder="0"
        numeric
        onChange={onChange}
      />
      <div className="chips">
        {AMOUNTS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={(form.firstBuy || '0') === each}
            onClick={() => onChange(each)}
          >
            {each}
          </button>
        ))}
      </div>
      <p className={share > LARGE_BPS ? 'gold small' : 'muted small'} role="status">
        {quote !== undefined && copy.willHold(percent(share))}
      </p>
    </div>
  );
}
