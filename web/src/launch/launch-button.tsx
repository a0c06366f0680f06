import type { Sign, SignMessage } from '../chain/types.js';
import { chainName, useConfig } from '../config.js';
import { words } from '../words/words.js';
import { launchWords } from '../words/launch.js';
import { openConnect, useAccount } from '../wallet/store.js';
import { part } from '../part.js';

export interface Signers {
  readonly wallet: string;
  readonly sign: Sign;
  readonly signMessage: SignMessage;
}

export interface LaunchButtonProps {
  readonly disabled: boolean;
  readonly title: string;
  readonly onLaunch: (signers: Signers) => void;
}

// The wallets' hooks are needed only with a wallet.
const Connected = part(() => import('./connected-launch.js'), <div className="btn big" />);

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
