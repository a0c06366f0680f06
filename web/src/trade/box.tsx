import { lazy, Suspense, useState } from 'react';
import { chainName, useConfig } from '../config.js';
import type { TokenDetail } from '../market/types.js';
import { useAccount } from '../wallet/store.js';
import { words } from '../words/words.js';
import { TradeForm } from './form.js';
import type { Signing } from './signer.js';
import type { Form } from './use-form.js';

const Signer = lazy(() => import('./signer.js'));

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
  const [signing, setSigning] = useState<Signing>();
  const isHere = account?.chains.includes(config.chain) === true;
  const signs = isHere && signing?.address === account.address;
  return (
    <>
      {account !== undefined && !isHere && (
        <p className="alert warn" role="alert">
          {words.trade.wrongNetwork(chainName(config))}
        </p>
      )}
      {isHere && (
        <Suspense>
          <Signer key={account.address} account={account} onSigning={setSigning} />
        </Suspense>
      )}
      <TradeForm {...props} wallet={account?.address} sign={signs ? signing.sign : undefined} />
    </>
  );
}
