// What the fold of the community's share shows when it is opened.
import { finePercent, percent } from '../format.js';
import { launchWords as copy } from '../words/launch.js';
import type { CommunityFieldProps } from './community-field.js';

const COMMUNITY_FEES = [0, 25, 50, 100, 200, 500];
const HANDLES = ['burn', 'holders', 'lp'] as const;

export default function Parts({ form, onChange }: CommunityFieldProps) {
  return (
    <>
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
      {form.feeBps > 0 && <Bar form={form} onChange={onChange} />}
      <p className="hint">{copy.communityHint}</p>
    </>
  );
}

/** One bar for the whole share. Each handle ends a part and begins the next; the last part is the creator's. */
function Bar({ form, onChange }: CommunityFieldProps) {
  const { burn, holders, lp } = form;
  const parts = { burn, holders, lp, creator: 100 - burn - holders - lp };
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
