// Wallets that register like extensions: only by the events of Wallet Standard. They sign in the test, or refuse.
import { VersionedTransaction, type Keypair } from '@solana/web3.js';
import type { Page } from 'playwright-core';
import { signatureBy } from '#app/signatures/ed25519.js';

export interface TestWallet {
  readonly name: string;
  readonly keypair: Keypair;
  readonly chains?: readonly string[];
  /** Called with a transaction before the wallet signs; an error is the wallet's refusal. */
  readonly signing?: (
    transaction: VersionedTransaction,
  ) => VersionedTransaction | Promise<VersionedTransaction>;
}

const BINDING = 'signInTest';

/** Adds a wallet to each document of a page. Call it before opening the page. */
export async function addWallet(page: Page, wallet: TestWallet): Promise<void> {
  const { name, keypair, chains = ['solana:localnet'], signing = (transaction) => transaction } = wallet;
  await page.exposeFunction(BINDING, async (kind: 'message' | 'transaction', bytes: readonly number[]) => {
    if (kind === 'message') return [...signatureBy(keypair, new Uint8Array(bytes))];
    const transaction = await signing(VersionedTransaction.deserialize(new Uint8Array(bytes)));
    transaction.sign([keypair]);
    return [...transaction.serialize()];
  });
  // The compiled function calls a helper that the page does not have.
  await page.addInitScript('globalThis.__name = (value) => value');
  await page.addInitScript(register, {
    name,
    chains: [...chains],
    address: keypair.publicKey.toBase58(),
    publicKey: [...keypair.publicKey.toBytes()],
  });
}

interface Made {
  readonly name: string;
  readonly chains: readonly string[];
  readonly address: string;
  readonly publicKey: readonly number[];
}

/** Runs in the page. */
function register(made: Made): void {
  type Listener = (change: { accounts: readonly object[] }) => void;
  type Api = { register: (wallet: object) => void };
  const inTest = (kind: string, bytes: Uint8Array) =>
    (window as unknown as { signInTest: (kind: string, bytes: number[]) => Promise<number[]> })
      .signInTest(kind, [...bytes])
      .then((answer) => new Uint8Array(answer));
  const features = ['solana:signTransaction', 'solana:signMessage'];
  const { name, chains, address } = made;
  const account = { address, publicKey: new Uint8Array(made.publicKey), chains, features };
  const listeners = new Set<Listener>();
  let accounts: readonly object[] = [];
  const change = (next: readonly object[]) => {
    accounts = next;
    for (const listener of listeners) listener({ accounts });
  };
  const wallet = {
    version: '1.0.0',
    name,
    chains,
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxIDEiPjxyZWN0IHdpZHRoPSIxIiBoZWlnaHQ9IjEiIGZpbGw9IiM1NTYiLz48L3N2Zz4=',
    get accounts() {
      return accounts;
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: ({ silent = false } = {}) => {
          const trusted = localStorage.getItem('test-wallet') !== null;
          if (!silent || trusted) change([account]);
          localStorage.setItem('test-wallet', '1');
          return Promise.resolve({ accounts });
        },
      },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: Listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: async ({ message }: { message: Uint8Array }) => [
          { signedMessage: message, signature: await inTest('message', message) },
        ],
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) => [
          { signedTransaction: await inTest('transaction', transaction) },
        ],
      },
    },
  };
  const callback = (api: Api) => api.register(wallet);
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
  window.addEventListener('wallet-standard:app-ready', (event) =>
    callback((event as CustomEvent<Api>).detail),
  );
}
