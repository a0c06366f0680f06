// The selected wallet account. @solana/react stores the choice, and a newly opened page reconnects it without asking.
import { SelectedWalletAccountContextProvider, useSelectedWalletAccount } from '@solana/react';
import { useConnect, type UiWallet } from '@wallet-standard/react';
import { useEffect, useRef, type ReactNode } from 'react';
import { CHOSEN_KEY as KEY } from './store.js';
import { storage } from '../storage.js';

const stateSync = {
  getSelectedWallet: () => storage.getItem(KEY),
  storeSelectedWallet: (key: string) => storage.setItem(KEY, key),
  deleteSelectedWallet: () => storage.removeItem(KEY),
};

const canTrade = ({ features, chains }: UiWallet) =>
  features.includes('standard:connect') &&
  (features.includes('solana:signTransaction') || features.includes('solana:signAndSendTransaction')) &&
  chains.some((chain) => chain.startsWith('solana:'));

export function WalletProvider({ children }: { readonly children: ReactNode }) {
  return (
    <SelectedWalletAccountContextProvider filterWallets={canTrade} stateSync={stateSync}>
      <Reconnect />
      {children}
    </SelectedWalletAccountContextProvider>
  );
}

/**
 * Reconnects the stored wallet, because wallets show no accounts before a connect request, even to a trusted page. Only when
 * the page is opened: later, a wallet without accounts has disconnected itself.
 */
function Reconnect() {
  const [account, setAccount, wallets] = useSelectedWalletAccount();
  const wasConnected = useRef(false);
  useEffect(() => {
    if (account !== undefined) wasConnected.current = true;
  }, [account]);
  useEffect(() => {
    const leave = ({ key, newValue }: StorageEvent) => {
      // The user has disconnected in another tab.
      if (key === KEY && newValue === null) setAccount(undefined);
    };
    addEventListener('storage', leave);
    return () => removeEventListener('storage', leave);
  }, [setAccount]);
  if (wasConnected.current) return null;
  const saved = storage.getItem(KEY)?.split(':')[0];
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
