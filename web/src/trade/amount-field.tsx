import { useId, useLayoutEffect, useRef } from 'react';
import { Dollars } from '../dollars.js';
import { sol, tokens } from '../format.js';
import { words } from '../words/words.js';
import type { Parts } from './parts.js';

const copy = words.trade;

/** The field for the amount to pay or to receive. */
export function AmountField({
  form,
  balances,
  symbol,
  token,
  quote,
  problem,
}: Parts & { problem: string | undefined }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { set, values } = form;
  const { side, unit, text } = values;
  useLayoutEffect(() => fit(input.current), [text, quote]);
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
        <label htmlFor={id}>{!pays ? copy.youGet : side === 'buy' ? copy.youPay : copy.youSell}</label>
        {balance !== undefined && <span data-testid="balance">{copy.balance(balance)}</span>}
      </div>
      <div className="value">
        <input
          id={id}
          ref={input}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          value={text}
          maxLength={32}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
          onChange={(event) => set({ text: event.target.value })}
        />
        {quote !== undefined && <Dollars prefix="≈ " lamports={quote.sol} />}
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

/** Makes a long amount smaller, so that all its digits are seen. */
function fit(input: HTMLInputElement | null): void {
  if (input === null) return;
  const { style } = input;
  style.fontSize = '';
  const part = input.clientWidth / input.scrollWidth;
  if (part < 1) style.fontSize = `${Math.floor(parseFloat(getComputedStyle(input).fontSize) * part)}px`;
}
