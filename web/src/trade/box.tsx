import { useState } from 'react';
import { chainName, useConfig } from '../config.js';
import type { Liveness } from '../market/stream.js';
import type { TokenDetail, Trade } from '../market/types.js';
import { part } from '../part.js';
import { useAccount } from '../wallet/store.js';
import { words } from '../words/words.js';
import { TradeForm } from './form.js';
import type { Signing } from './signer.js';
import type { Form } from './use-form.js';

const Signer = part(() => import('./signer.js'));

export interface BoxProps {
  readonly token: TokenDetail;
  readonly form: Form;
  readonly liveness: Liveness | undefined;
  /** Trades of the page's wallets that the index does not have yet. */
  readonly pending: readonly Trade[];
  /** Called when the market differs from the one on the page. */
  readonly onMoved: () => void;
  /** Called with a trade of the wallet as soon as it has landed, before the index has it. */
  readonly onTraded: (trade: Trade) => void;
}

/** Shows quotes to everyone. Trading needs a connected wallet for this network. */
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
      {isHere && <Signer key={account.address} account={account} onSigning={setSigning} />}
      <TradeForm {...props} wallet={account?.address} sign={signs ? signing.sign : undefined} />
    </>
  );
}
