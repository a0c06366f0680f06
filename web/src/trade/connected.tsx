import { useSignTransaction } from '@solana/react';
import type { UiWalletAccount } from '@wallet-standard/react';
import { useCallback } from 'react';
import type { Sign } from '../chain/types.js';
import { useConfig } from '../config.js';
import type { BoxProps } from './box.js';
import { TradeForm } from './form.js';

/** The trade form of a wallet that can sign. */
export default function Connected({ account, ...props }: BoxProps & { readonly account: UiWalletAccount }) {
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
