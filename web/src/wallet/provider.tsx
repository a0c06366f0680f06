// The selected wallet account. @solana/react stores the choice, and a newly opened page reconnects it without asking.
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

/** Reconnects the stored wallet, because wallets show no accounts before a connect request, even to a trusted page. */
function Reconnect() {
  const [account, , wallets] = useSelectedWalletAccount();
  const saved = localStorage.getItem(KEY)?.split(':')[0];
  const wallet = account === undefined ? wallets.find(({ name }) => name === saved) : undefined;
  return wallet === undefined ? null : <SilentConnect key={wallet.name} wallet={wallet} />;
}

function SilentConnect({ wallet }: { readonly wallet: UiWallet }) {
  const [, connect] = useConnect(wallet);
  useEffect(() => {
    // Run after the provider's effects, which listen to the wallet. If the wallet refuses, the user can click Connect.
    const timer = setTimeout(() => void connect({ silent: true }).catch(() => undefined));
    return () => clearTimeout(timer);
    // Run once per wallet.
  }, []);
  return null;
}
