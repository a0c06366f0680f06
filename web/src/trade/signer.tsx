import type { UiWalletAccount } from '@wallet-standard/react';
import { useEffect, useRef } from 'react';
import type { Sign } from '../chain/types.js';
import { canSign, useSending, useSigning } from '../wallet/use-sign.js';

export interface Signing {
  readonly address: string;
  readonly sign: Sign;
}

interface SignerProps {
  readonly account: UiWalletAccount;
  readonly onSigning: (signing: Signing) => void;
}

/** Passes the wallet's signing function to the parent. Renders nothing, so that the form is not remounted. */
export default function Signer(props: SignerProps) {
  return canSign(props.account) ? <Signs {...props} /> : <Sends {...props} />;
}

function Signs({ account, onSigning }: SignerProps) {
  usePassed(account, useSigning(account), onSigning);
  return null;
}

function Sends({ account, onSigning }: SignerProps) {
  usePassed(account, useSending(account), onSigning);
  return null;
}

/** Passes one function for each account: some wallets give a new one with every render, which passing it would cause again. */
function usePassed({ address }: UiWalletAccount, sign: Sign, pass: SignerProps['onSigning']): void {
  const { sends } = sign;
  const newest = useRef(sign);
  newest.current = sign;
  useEffect(() => {
    const passed = (transaction: Uint8Array) => newest.current(transaction);
    pass({ address, sign: Object.assign(passed, { sends }) });
  }, [address, sends, pass]);
}
