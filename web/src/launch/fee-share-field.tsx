import { useState } from 'react';
import { useConfig } from '../config.js';
import { finePercent } from '../format.js';
import { loaded } from '../load.js';
import { part } from '../part.js';
import { launchWords } from '../words/launch.js';
import { TextField } from './text-field.js';
import type { LaunchForm } from './words-of-form.js';

const copy = launchWords.feeShare;
const load = () => import('./earners.js');
const Earners = part(load);

export interface FeeShareFieldProps {
  readonly form: LaunchForm;
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<LaunchForm>) => void;
}

/** Who earns the creator's share of the fees. Nothing where the launchpad gives none. */
export function FeeShareField({ form, problem, onChange }: FeeShareFieldProps) {
  const { creatorShareBps } = useConfig();
  const [open, setOpen] = useState(false);
  if (creatorShareBps === 0) return null;
  const isOpen = open || problem !== undefined;
  return (
    <div className="field">
      <details className="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span>{copy.to[form.earns](finePercent(creatorShareBps))}</span>
          <span className="link">{launchWords.changeIt}</span>
        </summary>
        {isOpen && (
          <Earners form={form} onChange={onChange}>
            {form.earns === 'split' && (
              <TextField
                label={copy.wallets}
                lines
                value={form.earners}
                problem={problem}
                onChange={(earners) => {
                  onChange({ earners });
                  void loaded(load).then(({ feeShareOf }) =>
                    onChange({ earnersFit: feeShareOf('split', earners) !== undefined }),
                  );
                }}
              />
            )}
          </Earners>
        )}
      </details>
    </div>
  );
}
