// The wallet code that the page loads on demand: discovery, reconnecting, dialogs.
import { useSelectedWalletAccount } from '@solana/react';
import { useEffect, useState } from 'react';
import { isLocal, useConfig } from '../config.js';
import { AccountDialog } from './account-dialog.js';
import { ConnectDialog } from './connect-dialog.js';
import { WalletProvider } from './provider.js';
import { closeDialog, setAccount, useWalletDialog } from './store.js';

let burner: Promise<void> | undefined;

export default function WalletHost() {
  const config = useConfig();
  const local = isLocal(config);
  const [ready, setReady] = useState(!local);
  useEffect(() => {
    if (!local) return;
    // The burner wallet is only for local clusters. On other clusters its code is not requested.
    burner ??= import('./burner.js').then(({ registerBurner }) => registerBurner(config.chain));
    burner.then(
      () => setReady(true),
      (error: unknown) => console.warn('the burner wallet cannot be loaded', error),
    );
  }, [local, config.chain]);
  if (!ready) return null;
  return (
    <WalletProvider>
      <Selected />
    </WalletProvider>
  );
}

function Selected() {
  const [account] = useSelectedWalletAccount();
  const dialog = useWalletDialog();
  useEffect(() => setAccount(account), [account]);
  if (dialog === 'connect' && account === undefined) return <ConnectDialog onClose={closeDialog} />;
  if (dialog === 'account' && account !== undefined)
    return <AccountDialog account={account} onClose={closeDialog} />;
  return null;
}
