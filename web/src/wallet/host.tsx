// The wallet code that the page loads on demand: discovery, reconnecting, dialogs.
import { useSelectedWalletAccount } from '@solana/react';
import { useEffect, useState } from 'react';
import { isLocal, useConfig } from '../config.js';
import type { MarketConfig } from '../market/types.js';
import { AccountDialog } from './account-dialog.js';
import { reachesWalletApps } from './android.js';
import { ConnectDialog } from './connect-dialog.js';
import { WalletProvider } from './provider.js';
import { closeDialog, setAccount, useWalletDialog } from './store.js';
import { loaded } from '../load.js';

let registered: Promise<void> | undefined;

export default function WalletHost() {
  const config = useConfig();
  const [ready, setReady] = useState(false);
  useEffect(() => {
    registered ??= registerOwn(config).catch((error: unknown) =>
      console.warn('a wallet of the page cannot be loaded', error),
    );
    void registered.then(() => setReady(true));
  }, [config]);
  if (!ready) return null;
  return (
    <WalletProvider>
      <Selected />
    </WalletProvider>
  );
}

/** Wallets that are not in the browser already. Nobody loads the code of one that is of no use. */
async function registerOwn({ chain, serviceName }: MarketConfig): Promise<void> {
  if (isLocal({ chain })) {
    const { registerBurner } = await loaded(() => import('./burner.js'));
    registerBurner(chain);
  } else if (reachesWalletApps()) {
    const { registerMobileWallets } = await loaded(() => import('./mobile.js'));
    registerMobileWallets(chain, serviceName);
  }
}

function Selected() {
  const [account, select, wallets] = useSelectedWalletAccount();
  const dialog = useWalletDialog();
  // The account that its user has chosen in the wallet pays, and wallets put it first.
  const owners = wallets.filter(({ accounts }) =>
    accounts.some(({ address }) => address === account?.address),
  );
  const first = owners.length === 1 ? owners[0]!.accounts[0] : undefined;
  useEffect(() => {
    if (first !== undefined && first.address !== account?.address) select(first);
  }, [first, account, select]);
  useEffect(() => setAccount(account), [account]);
  if (dialog === 'connect' && account === undefined) return <ConnectDialog onClose={closeDialog} />;
  if (dialog === 'account' && account !== undefined)
    return <AccountDialog account={account} onClose={closeDialog} />;
  return null;
}
