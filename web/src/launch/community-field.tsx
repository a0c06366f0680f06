import { finePercent, percent, sol } from '../format.js';
import { useConfig } from '../config.js';
import { goalOf } from '../market/progress.js';
import { launchWords } from '../words/launch.js';
import { COMMUNITY_FEES, creatorsOf, type LaunchForm } from './words-of-form.js';

const copy = launchWords;
const HANDLES = ['burn', 'holders', 'lp'] as const;

interface CommunityFieldProps {
  readonly form: LaunchForm;
  readonly onChange: (change: Partial<LaunchForm>) => void;
}

/** The community's share at graduation: folded to a sentence, because few creators change it. */
export function CommunityField({ form, onChange }: CommunityFieldProps) {
  const config = useConfig();
  const share = (goalOf(config) * BigInt(form.feeBps)) / 10_000n;
  const creators = form.feeBps === 0 ? 0 : creatorsOf(form);
  const ofTrades = form.earns === 'creator' ? config.creatorShareBps : 0;
  const trades = ofTrades === 0 ? copy.noTrades : copy.ofTrades(finePercent(ofTrades));
  return (
    <div className="field">
      <details className="fold">
        <summary>
          <span>{copy.community(finePercent(form.feeBps), about(share))}</span>
          <span className="link">{copy.changeIt}</span>
        </summary>
        <div className="chips six">
          {COMMUNITY_FEES.map((bps) => (
            <button
              key={bps}
              type="button"
              aria-pressed={form.feeBps === bps}
              onClick={() => onChange({ feeBps: bps })}
            >
              {bps === 0 ? copy.none : finePercent(bps)}
            </button>
          ))}
        </div>
        {form.feeBps > 0 && <Parts form={form} onChange={onChange} />}
        <p className="hint">{copy.communityHint}</p>
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

/** One bar for the whole share. Each handle ends a part and begins the next; the last part is the creator's. */
function Parts({ form, onChange }: CommunityFieldProps) {
  const { burn, holders, lp } = form;
  const parts = { burn, holders, lp, creator: creatorsOf(form) };
  const ends = [burn, burn + holders, burn + holders + lp];
  const move = (handle: number, to: number) => {
    // A handle pushes the others, so that none is stuck under another one.
    const [first = 0, second = 0, third = 0] = ends.map((end, index) =>
      index < handle ? Math.min(end, to) : index > handle ? Math.max(end, to) : to,
    );
    onChange({ burn: first, holders: second - first, lp: third - second });
  };
  return (
    <>
      <div className="shares">
        {Object.entries(parts).map(([name, part]) => (
          <i key={name} className={name} style={{ flexGrow: part }} />
        ))}
        {HANDLES.map((name, handle) => (
          <input
            key={name}
            type="range"
            min="0"
            max="100"
            value={ends[handle]}
            aria-label={copy.parts[name]}
            aria-valuetext={percent(parts[name] * 100)}
            onChange={(event) => move(handle, event.target.valueAsNumber)}
          />
        ))}
      </div>
      <ul className="share-names">
        {Object.entries(parts).map(([name, part]) => (
          <li key={name} className={name}>
            {copy.parts[name as keyof typeof parts]} {percent(part * 100)}
          </li>
        ))}
      </ul>
    </>
  );
}
