import { useSelectedWalletAccount, useSignTransaction } from '@solana/react';
import type { UiWalletAccount } from '@wallet-standard/react';
import { useCallback } from 'react';
import type { Sign } from '../chain/types.js';
import { chainName, useConfig } from '../config.js';
import type { TokenDetail } from '../market/types.js';
import { words } from '../words/words.js';
import { TradeForm } from './form.js';
import type { Form } from './use-form.js';

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
  const [account] = useSelectedWalletAccount();
  if (account === undefined) return <TradeForm {...props} wallet={undefined} sign={undefined} />;
  if (!account.chains.includes(config.chain)) {
    return (
      <>
        <p className="alert warn" role="alert">
          {words.trade.wrongNetwork(chainName(config))}
        </p>
        <TradeForm {...props} wallet={account.address} sign={undefined} />
      </>
    );
  }
  return <Connected key={account.address} {...props} account={account} />;
}

function Connected({ account, ...props }: BoxProps & { readonly account: UiWalletAccount }) {
  const { chain } = useConfig();
  const signTransaction = useSignTransaction(account, chain);
  const sign = useCallback<Sign>(
    async (transaction) => {
      const { signedTransaction } = await signTransaction({ transaction });
      return new Uint8Array(signedTransaction);
    },
    [signTransaction],
  );
  return <TradeForm {...props} wallet={account.address} sign={sign} />;
}
