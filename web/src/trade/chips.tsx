import { words } from '../words/words.js';
import { amountText, SOL_DECIMALS, TOKEN_DECIMALS } from './amount-text.js';
import type { Parts } from './parts.js';
import { mostToSpend } from './read-form.js';

const SOL_AMOUNTS = ['0.1', '0.5', '1'];
const SHARES = [25, 50, 75];

/** Buttons that set an amount. */
export function Chips({ form, balances, token }: Parts) {
  const { set, values } = form;
  const { side, text, unit } = values;
  if (side === 'buy') {
    const max = balances === undefined ? undefined : amountText(mostToSpend(token, balances), SOL_DECIMALS);
    return (
      <div className="chips">
        {SOL_AMOUNTS.map((each) => (
          <Chip
            key={each}
            title={each}
            isOn={unit === 'sol' && text === each}
            onPress={() => set({ unit: 'sol', text: each })}
          />
        ))}
        <Chip
          title={words.trade.max}
          isOn={unit === 'sol' && text !== '' && text === max}
          onPress={max === undefined ? undefined : () => set({ unit: 'sol', text: max })}
        />
      </div>
    );
  }
  const held = balances?.tokens.get(token.mint) ?? 0n;
  return (
    <div className="chips">
      {[...SHARES, 100].map((percent) => {
        const share = amountText((held * BigInt(percent)) / 100n, TOKEN_DECIMALS);
        return (
          <Chip
            key={percent}
            title={percent === 100 ? words.trade.max : words.trade.share(percent)}
            isOn={held > 0n && unit === 'token' && text === share}
            onPress={held === 0n ? undefined : () => set({ unit: 'token', text: share })}
          />
        );
      })}
    </div>
  );
}

interface ChipProps {
  readonly title: string;
  readonly isOn: boolean;
  readonly onPress: (() => void) | undefined;
}

function Chip({ title, isOn, onPress }: ChipProps) {
  return (
    <button type="button" aria-pressed={isOn} disabled={onPress === undefined} onClick={onPress}>
      {title}
    </button>
  );
}
