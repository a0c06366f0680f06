// Wallet apps of Android as one wallet of the list. Loaded only where they can be reached.
import {
  createDefaultAuthorizationCache,
  LocalSolanaMobileWalletAdapterWallet,
} from '@solana-mobile/wallet-standard-mobile';
import type { Wallet } from '@wallet-standard/base';
import { registerWallet } from '@wallet-standard/wallet';
import { mobileWords } from '../words/mobile.js';

type Call = (...inputs: readonly unknown[]) => Promise<unknown>;
interface SignedMessage {
  readonly signedMessage: Uint8Array;
  readonly signature: Uint8Array;
}

/** @param name of the page, which the wallet app shows */
export function registerMobileWallets(chain: `solana:${string}`, name: string): void {
  const inner = new LocalSolanaMobileWalletAdapterWallet({
    appIdentity: { name, uri: location.origin, icon: 'icon.svg' },
    authorizationCache: createDefaultAuthorizationCache(),
    chains: [chain],
    chainSelector: { select: () => Promise.resolve(chain) },
    // The dialog says it, with links to wallets.
    onWalletNotFound: () => Promise.resolve(),
  });
  const { version, icon, chains } = inner;
  registerWallet({
    version,
    name: inner.name,
    icon,
    chains,
    get accounts() {
      return inner.accounts;
    },
    get features() {
      return Object.fromEntries(
        Object.entries(inner.features).map(([feature, calls]) => [feature, checked(calls as object)]),
      ) as Wallet['features'];
    },
  });
}

/** The calls of a feature that open the wallet app, each after a look at the browser's permission. */
function checked(feature: object): object {
  const calls = Object.entries(feature).map(([name, call]) => {
    if (typeof call !== 'function' || name === 'on' || name === 'disconnect') return [name, call] as const;
    return [
      name,
      async (...inputs: readonly { readonly silent?: boolean; readonly message?: Uint8Array }[]) => {
        if (inputs[0]?.silent !== true) await requirePermission();
        const answers = await (call as Call)(...inputs);
        return name === 'signMessage' ? (answers as SignedMessage[]).map(withoutSignature) : answers;
      },
    ] as const;
  });
  return Object.fromEntries(calls);
}

/** The protocol returns a message with its signature behind it. Wallet Standard wants the message alone. */
function withoutSignature({ signedMessage, signature }: SignedMessage): SignedMessage {
  return { signature, signedMessage: signedMessage.slice(0, -signature.length) };
}

/**
 * Chromium asks before a page reaches an app on the device. The library would ask with a dialog of its own, whose HTML the
 * page's security policy refuses. @throws Error with a sentence for the user
 */
async function requirePermission(): Promise<void> {
  const before = await permission();
  if (before === 'granted') return;
  if (before === 'prompt') {
    // A request to the device makes the browser ask.
    await fetch('http://localhost', { mode: 'no-cors' }).catch(() => undefined);
    // Meanwhile the press on the button has become too old to open an app.
    if ((await permission()) === 'granted') throw new Error(mobileWords.again);
  }
  throw new Error(mobileWords.blocked);
}

async function permission(): Promise<PermissionState> {
  try {
    const { state } = await navigator.permissions.query({ name: 'loopback-network' as PermissionName });
    return state;
  } catch {
    // Browsers without this permission do not ask for it.
    return 'granted';
  }
}
