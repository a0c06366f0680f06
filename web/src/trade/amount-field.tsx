import { useId } from 'react';
import { sol, tokens } from '../format.js';
import { words } from '../words/words.js';
import { cleaned } from './amount-text.js';
import type { Parts } from './parts.js';

const copy = words.trade;

/** The field for the amount to pay or to receive. */
export function AmountField({
  form,
  balances,
  symbol,
  token,
  problem,
}: Parts & { problem: string | undefined }) {
  const id = useId();
  const { side, unit, text, set } = form;
  const pays = (side === 'buy') === (unit === 'sol');
  const held = balances?.tokens.get(token.mint) ?? 0n;
  const balance =
    balances === undefined
      ? undefined
      : side === 'buy'
        ? `${sol(balances.sol)} SOL`
        : `${tokens(held)} ${symbol}`;
  const other = unit === 'sol' ? 'token' : 'sol';
  return (
    <div className={problem === undefined ? 'amount' : 'amount wrong'}>
      <div className="label">
        <label htmlFor={id}>{pays ? copy.youPay : copy.youGet}</label>
        {balance !== undefined && <span data-testid="balance">{copy.balance(balance)}</span>}
      </div>
      <div className="value">
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          value={text}
          maxLength={24}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
          onChange={(event) => set({ text: cleaned(event.target.value) })}
        />
        <button
          type="button"
          className="unit"
          title={copy.unit}
          aria-label={`${copy.unit}: ${unit === 'sol' ? 'SOL' : symbol}`}
          onClick={() => set({ unit: other, text: '' })}
        >
          {unit === 'sol' ? 'SOL' : symbol} <span aria-hidden="true">⇅</span>
        </button>
      </div>
      <p id={`${id}-problem`} className="problem" role="status">
        {problem}
      </p>
    </div>
  );
}
