import { lazy, Suspense } from 'react';
import { chainName, useConfig } from '../config.js';
import type { TokenDetail } from '../market/types.js';
import { useAccount } from '../wallet/store.js';
import { words } from '../words/words.js';
import { TradeForm } from './form.js';
import type { Form } from './use-form.js';

const Connected = lazy(() => import('./connected.js'));

export interface BoxProps {
  readonly token: TokenDetail;
  readonly form: Form;
  readonly isStale: boolean;
  /** The market is not where the page shows it. */
  readonly onMoved: () => void;
}

/** Quotes for everyone; trades for who has connected a wallet of this network. */
export function TradeBox(props: BoxProps) {
  const config = useConfig();
  const account = useAccount();
  if (account === undefined) return <TradeForm {...props} wallet={undefined} sign={undefined} />;
  const unsigned = <TradeForm {...props} wallet={account.address} sign={undefined} />;
  if (!account.chains.includes(config.chain)) {
    return (
      <>
        <p className="alert warn" role="alert">
          {words.trade.wrongNetwork(chainName(config))}
        </p>
        {unsigned}
      </>
    );
  }
  return (
    <Suspense fallback={unsigned}>
      <Connected key={account.address} {...props} account={account} />
    </Suspense>
  );
}
