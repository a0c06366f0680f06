// The client of the Partner API with Kit's signers and addresses.
import type { Address } from '@solana/kit';
import { requireAccountKey } from '../../checks/keys.js';
import type { PartnerStats, RegistrationMessage } from '../../generated/api/partner.js';
import type * as wire from '../../generated/api/partner.js';
import { PartnerClient as CoreClient, type PartnerClientOptions } from '../../http/partner.js';
import { keyOf, withAddresses } from '../convert.js';
import { messageWallet, type MessageSigner } from './signers.js';

/** A user's signature of a registration message. */
export interface SignedRegistration {
  readonly publicKey: Address;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  readonly nonce: string;
}

/** A registered user, with totals of the finalized trades since the registration. Amounts in lamports. */
export interface PartnerUser extends Omit<wire.PartnerUser, 'publicKey' | 'registeredAt'> {
  readonly publicKey: Address;
  readonly registeredAt: Date;
}

/** A page of the partner's users. */
export interface PartnerUserPage extends Omit<wire.PartnerUsers, 'users'> {
  readonly users: readonly PartnerUser[];
}

/** Client of the Partner API. The operator issues its key. Keep the key on a server, never in a browser. */
export class PartnerClient {
  readonly #core: CoreClient;

  /** @throws InvalidArgumentError for a malformed key, or a base that is not an http(s) URL */
  constructor(options: PartnerClientOptions) {
    this.#core = new CoreClient(options);
  }

  /** Version of the API. Use it to check the key. @throws ApiError, ConnectionError */
  version(): Promise<string> {
    return this.#core.version();
  }

  /** A new message for a user to sign. @throws ApiError, ConnectionError */
  registrationMessage(): Promise<RegistrationMessage> {
    return this.#core.registrationMessage();
  }

  /**
   * Registers a user who signed a message. Sent again when the answer is lost: the same registration succeeds twice.
   *
   * @throws ApiError such as `ALREADY_REGISTERED`, `INVALID_SIGNATURE` or `INVALID_NONCE`; ConnectionError, after which
   *   the user may or may not be registered: `user` says it; InvalidArgumentError
   */
  async register({ publicKey, signature, nonce }: SignedRegistration): Promise<void> {
    await this.#core.register({
      publicKey: requireAccountKey('publicKey', keyOf(publicKey)),
      signature,
      nonce,
    });
  }

  /**
   * Gets a message, lets the user sign it, and registers the user.
   *
   * @throws as `register`; MessageNotSignedError; the wallet's error
   */
  async registerUser(user: MessageSigner): Promise<void> {
    await this.#core.registerUser(messageWallet('user', user));
  }

  /**
   * A page of the partner's users, in the order of their registration. `cursor` is the `nextCursor` of the previous
   * page; the default is the first page. `limit` is the number of users per page, 1 to 100; default 50.
   *
   * @throws ApiError, ConnectionError; InvalidArgumentError for a limit out of range
   */
  async users(options: { readonly cursor?: string; readonly limit?: number } = {}): Promise<PartnerUserPage> {
    return withAddresses(await this.#core.users(options)) as PartnerUserPage;
  }

  /** All users, page after page. @throws as `users` */
  async *allUsers(): AsyncGenerator<PartnerUser> {
    for await (const user of this.#core.allUsers()) yield withAddresses(user) as PartnerUser;
  }

  /** One user. @throws ApiError such as `USER_NOT_FOUND`, ConnectionError; InvalidArgumentError */
  async user(publicKey: Address): Promise<PartnerUser> {
    const key = requireAccountKey('publicKey', keyOf(publicKey));
    return withAddresses(await this.#core.user(key)) as PartnerUser;
  }

  /** Totals of all users. @throws ApiError, ConnectionError */
  stats(): Promise<PartnerStats> {
    return this.#core.stats();
  }
}
