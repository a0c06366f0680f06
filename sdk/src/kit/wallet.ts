// Kit's signers as wallets of the HTTP clients.
import {
  createSignableMessage,
  isMessageModifyingSigner,
  isMessagePartialSigner,
  isTransactionSigner,
  type MessageModifyingSigner,
  type MessagePartialSigner,
  type TransactionModifyingSigner,
  type TransactionPartialSigner,
} from '@solana/kit';
import { VersionedTransaction } from '../chain/transactions.js';
import { requireAccountKey } from '../checks/keys.js';
import { CurvekitError, InvalidArgumentError } from '../errors/index.js';
import type { SignedMessage } from '../http/signed-message.js';
import type { ClaimingWallet, MessageWallet } from '../http/wallets.js';
import { signerKey } from './convert.js';
import { signerOf } from './trade/wallet.js';

/** A wallet that signs messages, for example a KeyPairSigner. */
export type MessageSigner = MessagePartialSigner | MessageModifyingSigner;
/** A wallet that can claim: it signs messages and transactions. A wallet that only signs and sends cannot. */
export type ClaimingSigner = MessageSigner & (TransactionPartialSigner | TransactionModifyingSigner);

/** The wallet returned no signature of the message. */
export class MessageNotSignedError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'MessageNotSignedError';
  constructor() {
    super('the wallet did not sign the message: its signature is missing');
  }
}

/**
 * A signer as a wallet for the clients of the service, and for `uploadPicture`. Their requests throw
 * MessageNotSignedError when the signer returns no signature.
 *
 * @throws InvalidArgumentError for a value that cannot sign messages
 */
export function signerWallet(signer: ClaimingSigner): ClaimingWallet;
export function signerWallet(signer: MessageSigner): MessageWallet;
export function signerWallet(signer: MessageSigner | ClaimingSigner): MessageWallet {
  requireAccountKey('signer', signerKey('signer', signer));
  if (!isMessagePartialSigner(signer) && !isMessageModifyingSigner(signer))
    throw new InvalidArgumentError(
      'signer',
      'must be a MessagePartialSigner or MessageModifyingSigner, which signs messages',
    );
  const { address } = signer;
  const wallet = { address, signMessage: (message: Uint8Array) => signed(signer, message) };
  if (!isTransactionSigner(signer)) return wallet;
  const core = signerOf(signer);
  if (!('sign' in core)) return wallet;
  // The treasury has fixed the blockhash, and with it the time until which the claim can land.
  const lifetime = { lastValidBlockHeight: Number.MAX_SAFE_INTEGER, blockhashSlot: 0 };
  const signTransaction = async (bytes: Uint8Array) => {
    const transaction = VersionedTransaction.deserialize(bytes);
    return (await core.sign({ transaction, ...lifetime }, undefined)).serialize();
  };
  return { ...wallet, signTransaction } as ClaimingWallet;
}

/** @throws MessageNotSignedError; the wallet's error */
async function signed(signer: MessageSigner, message: Uint8Array): Promise<Uint8Array | SignedMessage> {
  const asked = createSignableMessage(message);
  if (isMessagePartialSigner(signer)) {
    const [signatures] = await signer.signMessages([asked]);
    return required(signatures?.[signer.address]);
  }
  const [modified] = await signer.modifyAndSignMessages([asked]);
  return {
    signature: required(modified?.signatures[signer.address]),
    signedMessage: modified!.content,
  };
}

function required(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new MessageNotSignedError();
  return Uint8Array.from(bytes);
}
