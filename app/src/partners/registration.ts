// Registering users: a message for the user to sign, then the signature.
import { randomBytes } from 'node:crypto';
import type { Database } from '../db/database.js';
import { verifySignature } from '../keys/ed25519.js';
import { signedForms } from '../keys/offchain-message.js';
import { PartnerError } from './errors.js';
import type { Partner } from './key-repository.js';
import {
  addNonce,
  addUser,
  findIssued,
  findRegistration,
  removeExpiredNonces,
  useNonce,
} from './registration-repository.js';
import { newestIndexedSlot } from '../index/store/state.js';
import { askNode } from '../chain/connection.js';

/** How long a message can be used. */
export const NONCE_LIFETIME_MS = 600_000;
const NONCE_BYTES = 16;
/** Timeout of the RPC node; the partner's request waits for it. */
const SLOT_TIMEOUT_MS = 5_000;

export interface RegistrationOptions {
  readonly database: Database;
  /** Milliseconds of the service's clock. */
  readonly now: () => number;
  /** Name of the service in the message. */
  readonly serviceName: string;
  /** Reads the newest confirmed slot from an RPC node. Only trades of later slots earn rewards. */
  readonly currentSlot: () => Promise<number>;
}

export interface SignedRegistration {
  /** The user's wallet, 32 bytes. */
  readonly publicKey: { toBase58(): string; toBytes(): Uint8Array };
  /** 64 bytes. */
  readonly signature: Uint8Array;
  /** The signature in base58. */
  readonly signatureText: string;
  readonly nonce: string;
  /** What the wallet says it has signed, if the partner sends it. */
  readonly signedMessage?: Uint8Array | undefined;
}

export class Registration {
  readonly #options: RegistrationOptions;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /** Creates a message. This partner can use it once, within ten minutes. */
  async issueMessage(partner: Partner) {
    const { database, now, serviceName } = this.#options;
    const nonce = randomBytes(NONCE_BYTES).toString('hex');
    const at = now();
    const expiresAt = new Date(at + NONCE_LIFETIME_MS);
    const message = registrationMessage(serviceName, partner.name, nonce, expiresAt);
    await removeExpiredNonces(database.queries, new Date(at));
    await addNonce(database.queries, { nonce, partnerId: partner.id, message, expiresAt });
    return { message, nonce };
  }

  /**
   * Registers the user who signed. Only a valid signature uses the message up. The same registration again, after a lost
   * answer, succeeds.
   *
   * @throws PartnerError `nonce`, `signature`, `registered` (by another partner, or with another nonce), or `unavailable` when
   * the RPC node does not answer
   */
  async register(partner: Partner, registration: SignedRegistration): Promise<void> {
    const { database, now } = this.#options;
    const { publicKey, signature, signatureText, nonce, signedMessage } = registration;
    const issued = await findIssued(database.queries, nonce, partner.id, new Date(now()));
    if (issued !== undefined) {
      const key = publicKey.toBytes();
      const forms = [...signedForms(Buffer.from(issued.message), key, signedMessage)];
      if (!forms.some((form) => verifySignature(key, form, signature))) {
        throw new PartnerError(
          'signature',
          'The signature is not that of publicKey over the message of this nonce',
        );
      }
      if (issued.isUsable && (await this.#add(partner, registration))) return;
    }
    const found = await findRegistration(database.queries, publicKey.toBase58());
    const isOwn = found?.partnerId === partner.id;
    // The signature is of one message, and so of one nonce, also after the message was deleted.
    if (isOwn && found.signature === signatureText) return;
    if (found === undefined || issued === undefined) {
      throw new PartnerError('nonce', 'The nonce is unknown, used or expired; get a new message');
    }
    throw new PartnerError(
      'registered',
      isOwn
        ? 'This partner has registered the user already, with another nonce'
        : 'Another partner has registered the user already',
    );
  }

  /** @returns false when the nonce is used or expired meanwhile, or the user is registered */
  async #add(partner: Partner, { publicKey, signatureText, nonce }: SignedRegistration): Promise<boolean> {
    const { database, now } = this.#options;
    // Outside the transaction, which must not wait for the RPC node, and before the nonce is used up.
    const toldSlot = await this.#slot();
    const at = new Date(now());
    return database.transaction(
      async (tx) =>
        (await useNonce(tx, nonce, partner.id, at)) &&
        addUser(tx, {
          wallet: publicKey.toBase58(),
          partnerId: partner.id,
          signature: signatureText,
          registeredAt: at,
          // This RPC node may lag behind the ones that the index was read from.
          registeredSlot: Math.max(toldSlot, await newestIndexedSlot(tx)),
        }),
    );
  }

  async #slot(): Promise<number> {
    try {
      return await askNode(this.#options.currentSlot(), SLOT_TIMEOUT_MS);
    } catch (cause) {
      throw new PartnerError('unavailable', 'The cluster does not answer; try again later', { cause });
    }
  }
}

// The text that a user signs to be registered by a partner.

/** The message explains the purpose of the signature, because wallets show it to their users. Signed as UTF-8. */
function registrationMessage(service: string, partner: string, nonce: string, expiresAt: Date): string {
  return [
    `${service} wants to register this wallet as a user of the partner "${partner}".`,
    '',
    'Signing is free, sends no transaction and moves no funds.',
    '',
    `Service: ${service}`,
    `Partner: ${partner}`,
    `Nonce: ${nonce}`,
    `Expires: ${expiresAt.toISOString()}`,
  ].join('\n');
}
