// What the fold of the fee's share shows when it is opened, and what is made of it at the launch.
import type { FeeShare } from '@curvekit/sdk/market';
import type { ReactNode } from 'react';
import { feeShareWords as copy } from '../words/fee-share.js';
import type { FeeShareFieldProps } from './fee-share-field.js';
import type { LaunchForm } from './words-of-form.js';

const EARNERS = ['creator', 'traders', 'split'] as const;

interface EarnersProps extends Pick<FeeShareFieldProps, 'form' | 'onChange'> {
  /** The field of a split's wallets. */
  readonly children: ReactNode;
}

export default function Earners({ form, onChange, children }: EarnersProps) {
  return (
    <>
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
      {children}
      <p className="hint">{copy.hint}</p>
    </>
  );
}

const WHOLE_BPS = 10_000;
const FEWEST_EARNERS = 2;
const MOST_EARNERS = 10;

/** The choice as the service takes it; undefined for a split that is not one. The service checks the addresses too. */
export function feeShareOf(earns: LaunchForm['earns'], earners: string): FeeShare | undefined {
  if (earns !== 'split') return { kind: earns };
  const lines = earners.split('\n').filter((line) => line.trim() !== '');
  const wallets = lines.flatMap((line) => {
    const [, wallet, whole, fraction = ''] =
      /^\s*([1-9A-HJ-NP-Za-km-z]{32,44})\s+(\d{1,2})(?:[.,](\d{1,2}))?\s*%?\s*$/.exec(line) ?? [];
    return wallet === undefined ? [] : [{ wallet, bps: Number(`${whole}${fraction.padEnd(2, '0')}`) }];
  });
  const isWhole =
    wallets.reduce((sum, { bps }) => sum + bps, 0) === WHOLE_BPS && wallets.every(({ bps }) => bps > 0);
  const isEachOnce = new Set(wallets.map(({ wallet }) => wallet)).size === lines.length;
  const fits = lines.length >= FEWEST_EARNERS && lines.length <= MOST_EARNERS;
  return isWhole && isEachOnce && fits ? { kind: 'split', wallets } : undefined;
}
