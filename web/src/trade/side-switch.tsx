import { words } from '../words/words.js';
import type { Side } from './quote.js';

interface SideSwitchProps {
  readonly side: Side;
  readonly onSide: (side: Side) => void;
}

export function SideSwitch({ side, onSide }: SideSwitchProps) {
  return (
    <div className="seg" role="group" aria-label={words.trade.side}>
      {(['buy', 'sell'] as const).map((each) => (
        <button
          key={each}
          type="button"
          className={each}
          data-shortcut={each}
          aria-pressed={side === each}
          onClick={() => onSide(each)}
        >
          {words.trade[each]}
        </button>
      ))}
    </div>
  );
}
