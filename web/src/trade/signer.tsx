import { useSignTransaction } from '@solana/react';
import type { UiWalletAccount } from '@wallet-standard/react';
import { useEffect } from 'react';
import type { Sign } from '../chain/types.js';
import { useConfig } from '../config.js';

export interface Signing {
  readonly address: string;
  readonly sign: Sign;
}

interface SignerProps {
  readonly account: UiWalletAccount;
  readonly onSigning: (signing: Signing) => void;
}

/** Passes the wallet's signing function to the parent. Renders nothing, so that the form is not remounted. */
export default function Signer({ account, onSigning }: SignerProps) {
  const { chain } = useConfig();
  const signTransaction = useSignTransaction(account, chain);
  useEffect(() => {
    onSigning({
      address: account.address,
      sign: async (transaction) => {
        const { signedTransaction } = await signTransaction({ transaction });
        return new Uint8Array(signedTransaction);
      },
    });
  }, [account.address, signTransaction, onSigning]);
  return null;
}
