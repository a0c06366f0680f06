// The connected account for the whole page. Wallet code is loaded on demand, because most visitors connect no wallet.
import type { UiWalletAccount } from '@wallet-standard/react';
import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.js';
import { storage } from '../storage.js';

/** Storage key of the chosen wallet, for reconnecting it when a page is opened. */
export const CHOSEN_KEY = 'curvekit:wallet';

interface WalletState {
  readonly account: UiWalletAccount | undefined;
  readonly dialog: 'connect' | 'account' | undefined;
  /** Whether the wallet code must be loaded. */
  readonly isWanted: boolean;
}

let state: WalletState = {
  account: undefined,
  dialog: undefined,
  isWanted: storage.getItem(CHOSEN_KEY) !== null,
};
const { subscribe, notify } = createListeners();

function change(part: Partial<WalletState>): void {
  state = { ...state, ...part };
  notify();
}

export const useAccount = () => useSyncExternalStore(subscribe, () => state.account);
export const useWalletDialog = () => useSyncExternalStore(subscribe, () => state.dialog);
export const useWalletsWanted = () => useSyncExternalStore(subscribe, () => state.isWanted);

export const openConnect = () => change({ dialog: 'connect', isWanted: true });
export const openAccount = () => change({ dialog: 'account' });
export const closeDialog = () => change({ dialog: undefined });
/** Sets the account. A change closes the dialog. */
export const setAccount = (account: UiWalletAccount | undefined) => {
  const isOther = account?.address !== state.account?.address;
  change({ account, ...(isOther ? { dialog: undefined } : {}) });
};
