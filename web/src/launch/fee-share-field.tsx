import { useConfig } from '../config.js';
import { finePercent } from '../format.js';
import { launchWords } from '../words/launch.js';
import { TextField } from './text-field.js';
import { EARNERS, type LaunchForm } from './words-of-form.js';

const copy = launchWords.feeShare;

interface FeeShareFieldProps {
  readonly form: LaunchForm;
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<LaunchForm>) => void;
}

/** Who earns the creator's share of the fees. Nothing where the launchpad gives none. */
export function FeeShareField({ form, problem, onChange }: FeeShareFieldProps) {
  const { creatorShareBps } = useConfig();
  if (creatorShareBps === 0) return null;
  return (
    <div className="field">
      <details className="fold" open={problem !== undefined}>
        <summary>
          <span>{copy.to[form.earns](finePercent(creatorShareBps))}</span>
          <span className="link">{launchWords.changeIt}</span>
        </summary>
        <div className="chips">
          {EARNERS.map((kind) => (
            <button
              key={kind}
              type="button"
              aria-pressed={form.earns === kind}
              onClick={() => onChange({ earns: kind })}
            >
              {copy.kinds[kind]}
            </button>
          ))}
        </div>
        {form.earns === 'split' && (
          <TextField
            label={copy.wallets}
            lines
            placeholder={copy.example}
            value={form.earners}
            problem={problem}
            onChange={(earners) => onChange({ earners })}
          />
        )}
        <p className="hint">{copy.hint}</p>
      </details>
    </div>
  );
}
