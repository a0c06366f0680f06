import { useSignMessage } from '@solana/react';
import type { UiWalletAccount } from '@wallet-standard/react';
import type { Sign, SignMessage } from '../chain/types.js';
import { chainName, useConfig } from '../config.js';
import { words } from '../words/words.js';
import { launchWords } from '../words/launch.js';
import { openConnect, useAccount } from '../wallet/store.js';
import { canSign, useSending, useSigning } from '../wallet/use-sign.js';

export interface Signers {
  readonly wallet: string;
  readonly sign: Sign;
  readonly signMessage: SignMessage;
}

interface LaunchButtonProps {
  readonly busy: boolean;
  readonly onLaunch: (signers: Signers) => void;
}

/** Launches with the connected wallet, or connects a wallet for this network. */
export function LaunchButton(props: LaunchButtonProps) {
  const config = useConfig();
  const account = useAccount();
  if (account === undefined) {
    return (
      <button type="button" className="btn primary big" onClick={openConnect}>
        {launchWords.connect}
      </button>
    );
  }
  if (!account.chains.includes(config.chain))
    return (
      <p className="alert warn" role="alert">
        {words.trade.wrongNetwork(chainName(config))}
      </p>
    );
  if (!account.features.includes('solana:signMessage'))
    return (
      <p className="alert warn" role="alert">
        {launchWords.noSignMessage}
      </p>
    );
  return <Connected key={account.address} {...props} account={account} />;
}

type ConnectedProps = LaunchButtonProps & { readonly account: UiWalletAccount };

function Connected(props: ConnectedProps) {
  return canSign(props.account) ? <Signs {...props} /> : <Sends {...props} />;
}

function Signs(props: ConnectedProps) {
  return <Button {...props} sign={useSigning(props.account)} />;
}

function Sends(props: ConnectedProps) {
  return <Button {...props} sign={useSending(props.account)} />;
}

function Button({ account, sign, busy, onLaunch }: ConnectedProps & { readonly sign: Sign }) {
  const signMessage = useSignMessage(account);
  const signers: Signers = {
    wallet: account.address,
    sign,
    signMessage: (message) => signMessage({ message }),
  };
  return (
    <button type="button" className="btn primary big" disabled={busy} onClick={() => onLaunch(signers)}>
      {launchWords.submit}
    </button>
  );
}
