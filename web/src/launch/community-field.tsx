import { useState } from 'react';
import { finePercent, percent, sol } from '../format.js';
import { useConfig } from '../config.js';
import { goalOf } from '../market/progress.js';
import { launchWords } from '../words/launch.js';
import { part } from '../part.js';
import { creatorsOf, type LaunchForm } from './words-of-form.js';

const copy = launchWords;
const Parts = part(() => import('./community-parts.js'));

export interface CommunityFieldProps {
  readonly form: LaunchForm;
  readonly onChange: (change: Partial<LaunchForm>) => void;
}

/** The community's share at graduation: folded to a sentence, because few creators change it. */
export function CommunityField({ form, onChange }: CommunityFieldProps) {
  const config = useConfig();
  const [open, setOpen] = useState(false);
  const share = (goalOf(config) * BigInt(form.feeBps)) / 10_000n;
  const creators = form.feeBps === 0 ? 0 : creatorsOf(form);
  const ofTrades = form.earns === 'creator' ? config.creatorShareBps : 0;
  const trades = ofTrades === 0 ? copy.noTrades : copy.ofTrades(finePercent(ofTrades));
  return (
    <div className="field">
      <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span>{copy.community(finePercent(form.feeBps), about(share))}</span>
          <span className="link">{copy.changeIt}</span>
        </summary>
        {open && <Parts form={form} onChange={onChange} />}
      </details>
      <p className="hint">
        {creators === 0
          ? copy.earnNothing(trades)
          : copy.earn(percent(creators * 100), about((share * BigInt(creators)) / 100n), trades)}
      </p>
    </div>
  );
}

/** SOL to two decimals: nobody knows what the curve holds to the lamport when it graduates. */
const about = (lamports: bigint) => sol(((lamports + 5_000_000n) / 10_000_000n) * 10_000_000n);
