// The launch button of a connected wallet.
import { useSignMessage } from '@solana/react';
import type { UiWalletAccount } from '@wallet-standard/react';
import type { Sign } from '../chain/types.js';
import { canSign, useSending, useSigning } from '../wallet/use-sign.js';
import type { LaunchButtonProps, Signers } from './launch-button.js';

type ConnectedProps = LaunchButtonProps & { readonly account: UiWalletAccount };

export default function Connected(props: ConnectedProps) {
  return canSign(props.account) ? <Signs {...props} /> : <Sends {...props} />;
}

function Signs(props: ConnectedProps) {
  return <Button {...props} sign={useSigning(props.account)} />;
}

function Sends(props: ConnectedProps) {
  return <Button {...props} sign={useSending(props.account)} />;
}

function Button({ account, sign, disabled, title, onLaunch }: ConnectedProps & { readonly sign: Sign }) {
  const signMessage = useSignMessage(account);
  const signers: Signers = {
    wallet: account.address,
    sign,
    signMessage: (message) => signMessage({ message }),
  };
  return (
    <button type="button" className="btn primary big" disabled={disabled} onClick={() => onLaunch(signers)}>
      {title}
    </button>
  );
}
