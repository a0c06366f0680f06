// The wallets of the HTTP clients, of any Solana library: an address as text, and functions of bytes.
import { requireAccountAddress } from '../checks/address.js';
import { InvalidArgumentError } from '../errors/index.js';
import type { SignedMessage } from './signed-message.js';

/** A wallet that signs messages. `keypairWallet` and `adapterWallet` of `@curvekit/sdk`, and `signerWallet` of `@curvekit/sdk/kit` make one. */
export interface MessageWallet {
  /** Base58. */
  readonly address: string;
  /** Its ed25519 signature of the bytes. A wallet that signs an envelope instead, as hardware does, returns that too. */
  signMessage(message: Uint8Array): Promise<Uint8Array | SignedMessage>;
}

/** A wallet that can claim. */
export interface ClaimingWallet extends MessageWallet {
  /** Adds its signature to a serialized transaction, and keeps the existing ones. */
  signTransaction(transaction: Uint8Array): Promise<Uint8Array>;
}

/**
 * @param argument its name in the error @param methods what it needs besides `address`
 * @throws InvalidArgumentError for a value that is no such wallet
 */
export function requireWallet(
  argument: string,
  wallet: MessageWallet,
  ...methods: readonly (keyof ClaimingWallet)[]
): void {
  const found = Object(wallet) as Readonly<Record<string, unknown>>;
  if (typeof found['address'] !== 'string' || methods.some((method) => typeof found[method] !== 'function'))
    throw new InvalidArgumentError(
      argument,
      `must have address and ${methods.join(' and ')}; make one with keypairWallet(keypair) or adapterWallet(adapter) of @curvekit/sdk, or with signerWallet(signer) of @curvekit/sdk/kit`,
    );
  requireAccountAddress(`${argument}.address`, found['address']);
}
