// Which wallet account is used. @solana/react keeps the choice; a page that is opened connects it again without asking.
import { SelectedWalletAccountContextProvider, useSelectedWalletAccount } from '@solana/react';
import { useConnect, type UiWallet } from '@wallet-standard/react';
import { useEffect, type ReactNode } from 'react';
import { CHOSEN_KEY as KEY } from './store.js';

const stateSync = {
  getSelectedWallet: () => localStorage.getItem(KEY),
  storeSelectedWallet: (key: string) => localStorage.setItem(KEY, key),
  deleteSelectedWallet: () => localStorage.removeItem(KEY),
};

const canTrade = ({ features, chains }: UiWallet) =>
  features.includes('standard:connect') &&
  features.includes('solana:signTransaction') &&
  chains.some((chain) => chain.startsWith('solana:'));

export function WalletProvider({ children }: { readonly children: ReactNode }) {
  return (
    <SelectedWalletAccountContextProvider filterWallets={canTrade} stateSync={stateSync}>
      <Reconnect />
      {children}
    </SelectedWalletAccountContextProvider>
  );
}

/** A wallet shows no accounts to a page before it is asked, even one that trusts the page. */
function Reconnect() {
  const [account, , wallets] = useSelectedWalletAccount();
  const saved = localStorage.getItem(KEY)?.split(':')[0];
  const wallet = account === undefined ? wallets.find(({ name }) => name === saved) : undefined;
  return wallet === undefined ? null : <SilentConnect key={wallet.name} wallet={wallet} />;
}

function SilentConnect({ wallet }: { readonly wallet: UiWallet }) {
  const [, connect] = useConnect(wallet);
  useEffect(() => {
    // After the provider's own effects, which listen to the wallet. One that refuses stays unconnected: the button is there.
    const timer = setTimeout(() => void connect({ silent: true }).catch(() => undefined));
    return () => clearTimeout(timer);
    // Once for each wallet.
  }, []);
  return null;
}
