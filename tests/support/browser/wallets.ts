// Wallets that register like extensions: only by the events of Wallet Standard. They sign in the test, or refuse.
import { VersionedTransaction, type Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import type { Page } from 'playwright-core';
import { signatureBy } from '#app/keys/ed25519.js';
import { stage } from './stage.js';

export const TEST_WALLET = 'Test wallet';

export interface TestWallet {
  readonly name?: string;
  readonly keypair: Keypair;
  readonly chains?: readonly string[];
  /** Whether it sends what it signs, and cannot only sign. */
  readonly sends?: boolean;
  /** Whether it never answers the first request to connect, as wallets whose window was closed. */
  readonly hangs?: boolean;
  /** Whether it answers a transaction with an empty list. */
  readonly answersNothing?: boolean;
  /** Called with a transaction before the wallet signs; an error is the wallet's refusal. */
  readonly signing?: (
    transaction: VersionedTransaction,
  ) => VersionedTransaction | Promise<VersionedTransaction>;
  /** The bytes that it signs for a text, such as an envelope around it. An error is the wallet's refusal. */
  readonly enveloping?: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

const BINDING = 'signInTest';

/** Adds a wallet to each document of a page. Call it before opening the page. */
export async function addWallet(page: Page, wallet: TestWallet): Promise<void> {
  const {
    name = TEST_WALLET,
    keypair,
    chains = ['solana:localnet'],
    hangs = false,
    sends = false,
    answersNothing = false,
    signing = (transaction) => transaction,
    enveloping = (message) => message,
  } = wallet;
  await page.exposeFunction(BINDING, async (kind: 'message' | 'transaction', bytes: readonly number[]) => {
    if (kind === 'message') {
      const signed = await enveloping(new Uint8Array(bytes));
      return [...signatureBy(keypair, signed), ...signed];
    }
    const transaction = await signing(VersionedTransaction.deserialize(new Uint8Array(bytes)));
    transaction.sign([keypair]);
    if (!sends) return [...transaction.serialize()];
    const { connection } = (await stage()).launchpad.cluster;
    return [...bs58.decode(await connection.sendRawTransaction(transaction.serialize()))];
  });
  // The compiled function calls a helper that the page does not have.
  await page.addInitScript('globalThis.__name = (value) => value');
  await page.addInitScript(register, {
    name,
    chains: [...chains],
    hangs,
    sends,
    answersNothing,
    address: keypair.publicKey.toBase58(),
    publicKey: [...keypair.publicKey.toBytes()],
  });
}

interface Made {
  readonly answersNothing: boolean;
  readonly name: string;
  readonly chains: readonly string[];
  readonly hangs: boolean;
  readonly sends: boolean;
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
  const transactions = made.sends ? 'solana:signAndSendTransaction' : 'solana:signTransaction';
  const features = [transactions, 'solana:signMessage'];
  /** Storage that is blocked or full is no problem of a wallet, whose own is elsewhere. */
  const kept = <T>(use: () => T): T | null => {
    try {
      return use();
    } catch {
      return null;
    }
  };
  const { name, chains, address } = made;
  const account = { address, publicKey: new Uint8Array(made.publicKey), chains, features };
  const listeners = new Set<Listener>();
  let accounts: readonly object[] = [];
  let { hangs } = made;
  const change = (next: readonly object[]) => {
    accounts = next;
    for (const listener of listeners) listener({ accounts });
  };
  // As a wallet whose user disconnects the page in the wallet itself.
  // And as one whose user chooses another account in it: then that is the first.
  const chosen = (other: string) => ({ ...account, address: other, publicKey: new Uint8Array(32) });
  Object.assign(globalThis, {
    leaveTestWallet: () => change([]),
    chooseInTestWallet: (other: string) => change([chosen(other), account]),
  });
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
          const trusted = kept(() => localStorage.getItem('test-wallet')) !== null;
          if (!silent && hangs) {
            hangs = false;
            return new Promise(() => undefined);
          }
          if (!silent || trusted) change([account]);
          kept(() => localStorage.setItem('test-wallet', '1'));
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
        signMessage: async ({ message }: { message: Uint8Array }) => {
          const answer = await inTest('message', message);
          return [{ signature: answer.slice(0, 64), signedMessage: answer.slice(64) }];
        },
      },
      [transactions]: {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) =>
          made.answersNothing ? [] : [{ signedTransaction: await inTest('transaction', transaction) }],
        signAndSendTransaction: async ({ transaction }: { transaction: Uint8Array }) => [
          { signature: await inTest('transaction', transaction) },
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
