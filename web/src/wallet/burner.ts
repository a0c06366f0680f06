// A wallet for local clusters and tests. Its key is in this browser, cannot be exported, and signs without asking.
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
  StandardEventsListeners,
} from '@wallet-standard/features';
import type {
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import {
  getAddressFromPublicKey,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
  signBytes,
} from '@solana/kit';
import { registerWallet } from '@wallet-standard/wallet';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { storage } from '../storage.js';
import { dialogWords } from '../words/wallet-dialogs.js';

type Features = StandardConnectFeature &
  StandardDisconnectFeature &
  StandardEventsFeature &
  SolanaSignTransactionFeature &
  SolanaSignMessageFeature;

const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzMiAzMiI+PHJlY3Qgd2lkdGg9IjMyIiBoZWlnaHQ9IjMyIiByeD0iNyIgZmlsbD0iI2Y0OGM1MSIvPjxwYXRoIGQ9Ik0xNiA1YzUgNiA3IDkgNyAxM2E3IDcgMCAwIDEtMTQgMGMwLTMgMi01IDQtN3oiIGZpbGw9IiNmZmYiLz48L3N2Zz4=';
const TRUSTED = 'curvekit:burner';
const ACCOUNT_FEATURES = ['solana:signTransaction', 'solana:signMessage'] as const;

/** Call this only on local clusters. */
export function registerBurner(chain: `solana:${string}`): void {
  registerWallet(new Burner(chain));
}

class Burner implements Wallet {
  readonly version = '1.0.0';
  readonly name = 'Burner (localnet)';
  readonly icon = ICON;
  readonly chains: readonly [`solana:${string}`];
  #account: WalletAccount | undefined;
  #keys: CryptoKeyPair | undefined;
  readonly #listeners = new Set<StandardEventsListeners['change']>();

  constructor(chain: `solana:${string}`) {
    this.chains = [chain];
  }

  get accounts(): readonly WalletAccount[] {
    return this.#account === undefined ? [] : [this.#account];
  }

  readonly features: Features = {
    'standard:connect': {
      version: '1.0.0',
      connect: async ({ silent = false } = {}) => {
        if (!silent || storage.getItem(TRUSTED) !== null) await this.#open();
        return { accounts: this.accounts };
      },
    },
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: () => {
        storage.removeItem(TRUSTED);
        this.#account = undefined;
        this.#changed();
        return Promise.resolve();
      },
    },
    'standard:events': {
      version: '1.0.0',
      on: (_event, listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction }) => ({ signedTransaction: await this.#sign(transaction) })),
        ),
    },
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs) =>
        Promise.all(
          inputs.map(async ({ message }) => {
            // A versioned transaction message starts with such a byte, UTF-8 text never does.
            if (message[0] !== undefined && message[0] >= 0x80)
              throw new Error('this message is a transaction');
            return {
              signedMessage: message,
              signature: await signBytes(this.#connected.privateKey, message),
            };
          }),
        ),
    },
  };

  async #open(): Promise<void> {
    if (this.#account !== undefined) return;
    const keys = await loadKeys();
    const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', keys.publicKey));
    this.#keys = keys;
    this.#account = Object.freeze({
      address: await getAddressFromPublicKey(keys.publicKey),
      publicKey,
      chains: this.chains,
      features: ACCOUNT_FEATURES,
    });
    storage.setItem(TRUSTED, '1');
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener({ accounts: this.accounts });
  }

  get #connected(): CryptoKeyPair {
    if (this.#keys === undefined) throw new Error('the wallet is not connected');
    return this.#keys;
  }

  /** @throws SolanaError for a transaction that this account does not sign */
  async #sign(bytes: Uint8Array): Promise<Uint8Array> {
    const transaction = getTransactionDecoder().decode(bytes);
    const signed = await partiallySignTransaction([this.#connected], transaction);
    return Uint8Array.from(getTransactionEncoder().encode(signed));
  }
}

// The burner wallet's key pair in IndexedDB. Even this page cannot export the private key.
const DATABASE = 'curvekit-burner';
const STORE = 'keys';
const NAME = 'pair';

async function loadKeys(): Promise<CryptoKeyPair> {
  // Without https, browsers have no `crypto.subtle`.
  if (crypto.subtle === undefined) throw new Error(dialogWords.insecure);
  const database = await open();
  const kept = await answer<CryptoKeyPair | undefined>(
    database.transaction(STORE).objectStore(STORE).get(NAME) as IDBRequest<CryptoKeyPair | undefined>,
  );
  if (kept !== undefined) return kept;
  const made = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  await answer(database.transaction(STORE, 'readwrite').objectStore(STORE).put(made, NAME));
  return made;
}

function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return answer(opening);
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no keys'));
  });
}
