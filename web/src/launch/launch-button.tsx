import { useSignMessage, useSignTransaction } from '@solana/react';
import type { UiWalletAccount } from '@wallet-standard/react';
import type { Sign } from '../chain/types.js';
import { chainName, useConfig } from '../config.js';
import { words } from '../words/words.js';
import { launchWords } from '../words/launch.js';
import { openConnect, useAccount } from '../wallet/store.js';

export interface Signers {
  readonly wallet: string;
  readonly sign: Sign;
  readonly signMessage: (message: Uint8Array) => Promise<Uint8Array>;
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
        {words.wallet.noSignMessage}
      </p>
    );
  return <Connected key={account.address} {...props} account={account} />;
}

function Connected({ account, busy, onLaunch }: LaunchButtonProps & { readonly account: UiWalletAccount }) {
  const { chain } = useConfig();
  const signTransaction = useSignTransaction(account, chain);
  const signMessage = useSignMessage(account);
  const signers: Signers = {
    wallet: account.address,
    sign: async (transaction) => {
      const { signedTransaction } = await signTransaction({ transaction });
      return new Uint8Array(signedTransaction);
    },
    signMessage: async (message) => {
      const { signature } = await signMessage({ message });
      return new Uint8Array(signature);
    },
  };
  return (
    <button type="button" className="btn primary big" disabled={busy} onClick={() => onLaunch(signers)}>
      {launchWords.submit}
    </button>
  );
}
