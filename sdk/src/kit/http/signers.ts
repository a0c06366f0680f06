// Presents Kit's signers as the wallets of the HTTP clients.
import {
  createSignableMessage,
  isMessageModifyingSigner,
  isMessagePartialSigner,
  type Address,
  type MessageModifyingSigner,
  type MessagePartialSigner,
  type TransactionModifyingSigner,
  type TransactionPartialSigner,
} from '@solana/kit';
import type { PublicKey, VersionedTransaction } from '../../chain/types.js';
import { requireAccountKey } from '../../checks/keys.js';
import { CurvekitError, InvalidArgumentError } from '../../errors/index.js';
import { readSigned, type SignedMessage } from '../../http/signed-message.js';
import { signerKey } from '../convert.js';
import { signerOf } from '../trade/wallet.js';

/** A wallet that signs messages, for example a KeyPairSigner. */
export type MessageSigner = MessagePartialSigner | MessageModifyingSigner;
/** A wallet that can claim: it signs messages and transactions. A wallet that only signs and sends cannot. */
export type ClaimingSigner = MessageSigner & (TransactionPartialSigner | TransactionModifyingSigner);

/** A wallet's message came back changed, or without the wallet's signature. */
export class MessageNotSignedError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'MessageNotSignedError';
  constructor(problem: string) {
    super(`the wallet did not sign the message as it was given: ${problem}`);
  }
}

interface MessageWallet {
  readonly publicKey: PublicKey;
  readonly address: Address;
  signMessage(message: Uint8Array): Promise<Uint8Array | SignedMessage>;
}

interface ClaimingWallet extends MessageWallet {
  signTransaction(transaction: VersionedTransaction): Promise<VersionedTransaction>;
}

/** @throws InvalidArgumentError for a value that cannot sign messages */
export function messageWallet(argument: string, signer: MessageSigner): MessageWallet {
  const publicKey = requireAccountKey(argument, signerKey(argument, signer as never));
  if (!isMessagePartialSigner(signer) && !isMessageModifyingSigner(signer))
    throw new InvalidArgumentError(
      argument,
      'must be a MessagePartialSigner or MessageModifyingSigner, which signs messages',
    );
  return { publicKey, address: signer.address, signMessage: (message) => signature(signer, message) };
}

/** @throws InvalidArgumentError for a value that cannot sign messages and transactions */
export function claimingWallet(argument: string, signer: ClaimingSigner): ClaimingWallet {
  const wallet = messageWallet(argument, signer);
  const core = signerOf(signer);
  if (!('sign' in core))
    throw new InvalidArgumentError(argument, 'must sign transactions without sending them');
  // The treasury has fixed the blockhash, and with it the time until which the claim can land.
  const lastValidBlockHeight = Number.MAX_SAFE_INTEGER;
  return {
    ...wallet,
    signTransaction: (transaction) =>
      core.sign({ transaction, lastValidBlockHeight, blockhashSlot: 0 }, undefined),
  };
}

/** @throws MessageNotSignedError; the wallet's error */
async function signature(signer: MessageSigner, message: Uint8Array): Promise<Uint8Array | SignedMessage> {
  const asked = createSignableMessage(message);
  const { address } = signer;
  if (isMessagePartialSigner(signer)) {
    const [signatures] = await signer.signMessages([asked]);
    return required(signatures?.[address]);
  }
  const [modified] = await signer.modifyAndSignMessages([asked]);
  if (modified === undefined) throw new MessageNotSignedError('its content is another one');
  const signed = { signature: required(modified.signatures[address]), signedMessage: modified.content };
  try {
    readSigned(message, signed);
  } catch {
    throw new MessageNotSignedError('its content is another one');
  }
  return signed;
}

function required(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new MessageNotSignedError('its signature is missing');
  return Uint8Array.from(bytes);
}
