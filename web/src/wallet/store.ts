// The connected account, for the whole page. Wallets themselves are looked for when they are wanted: most who read have none.
import type { UiWalletAccount } from '@wallet-standard/react';
import { useSyncExternalStore } from 'react';

/** Where the chosen wallet is kept, so that a page that is opened connects it again. */
export const CHOSEN_KEY = 'curvekit:wallet';

interface WalletState {
  readonly account: UiWalletAccount | undefined;
  readonly dialog: 'connect' | 'account' | undefined;
  /** Whether the code for wallets is to be loaded. */
  readonly isWanted: boolean;
}

let state: WalletState = {
  account: undefined,
  dialog: undefined,
  isWanted: localStorage.getItem(CHOSEN_KEY) !== null,
};
const listeners = new Set<() => void>();

function change(part: Partial<WalletState>): void {
  state = { ...state, ...part };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useAccount = () => useSyncExternalStore(subscribe, () => state.account);
export const useWalletDialog = () => useSyncExternalStore(subscribe, () => state.dialog);
export const useWalletsWanted = () => useSyncExternalStore(subscribe, () => state.isWanted);

export const openConnect = () => change({ dialog: 'connect', isWanted: true });
export const openAccount = () => change({ dialog: 'account' });
export const closeDialog = () => change({ dialog: undefined });
/** Connecting, or being disconnected by the wallet, ends the dialog. */
export const setAccount = (account: UiWalletAccount | undefined) => {
  const isOther = account?.address !== state.account?.address;
  change({ account, ...(isOther ? { dialog: undefined } : {}) });
};
