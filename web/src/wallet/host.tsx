// The wallet code that the page loads on demand: discovery, reconnecting, dialogs.
import { SelectedWalletAccountContextProvider, useSelectedWalletAccount } from '@solana/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isLocal, useConfig } from '../config.js';
import type { MarketConfig } from '../market/types.js';
import { reachesWalletApps } from './android.js';
import { ConnectDialog } from './connect-dialog.js';
import { closeDialog, CHOSEN_KEY as KEY, setAccount, useWalletDialog } from './store.js';
import { loaded } from '../load.js';
import { type UiWallet, type UiWalletAccount, useConnect, useDisconnect } from '@wallet-standard/react';
import { exactSol } from '../format.js';
import Dialog from '../parts/dialog.js';
import { go } from '../router.js';
import { dialogWords } from '../words/wallet-dialogs.js';
import { useBalances } from './balances.js';
import { Faucet } from './faucet.js';
import { storage } from '../storage.js';

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

interface AccountDialogProps {
  readonly account: UiWalletAccount;
  readonly onClose: () => void;
}

function AccountDialog({ account, onClose }: AccountDialogProps) {
  const { faucet } = useConfig();
  const [, setAccount, wallets] = useSelectedWalletAccount();
  const wallet = wallets.find(({ accounts }) => accounts.some(({ address }) => address === account.address));
  const balances = useBalances(account.address);
  const forget = () => setAccount(undefined);
  return (
    <Dialog title={dialogWords.account} onClose={onClose}>
      <div className="account">
        <p className="address mono">{account.address}</p>
        {balances !== undefined && <p className="strong">{exactSol(balances.sol)} SOL</p>}
        {faucet && <Faucet address={account.address} />}
        <button
          type="button"
          className="btn quiet"
          onClick={() => {
            onClose();
            go(`/w/${account.address}`);
          }}
        >
          {dialogWords.mine}
        </button>
        {wallet?.features.includes('standard:disconnect') === true ? (
          <Disconnect wallet={wallet} onDone={forget} />
        ) : (
          <button type="button" className="btn danger" onClick={forget}>
            {dialogWords.disconnect}
          </button>
        )}
      </div>
    </Dialog>
  );
}

function Disconnect({ wallet, onDone }: { readonly wallet: UiWallet; readonly onDone: () => void }) {
  const [, disconnect] = useDisconnect(wallet);
  const leave = () => disconnect().then(onDone, onDone);
  return (
    <button type="button" className="btn danger" onClick={() => void leave()}>
      {dialogWords.disconnect}
    </button>
  );
}

// The selected wallet account. @solana/react stores the choice, and a newly opened page reconnects it without asking.
const stateSync = {
  getSelectedWallet: () => storage.getItem(KEY),
  storeSelectedWallet: (key: string) => storage.setItem(KEY, key),
  deleteSelectedWallet: () => storage.removeItem(KEY),
};

const canTrade = ({ features, chains }: UiWallet) =>
  features.includes('standard:connect') &&
  (features.includes('solana:signTransaction') || features.includes('solana:signAndSendTransaction')) &&
  chains.some((chain) => chain.startsWith('solana:'));

function WalletProvider({ children }: { readonly children: ReactNode }) {
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
