// Operator commands for API keys. A key's text exists only here, and is shown only once.
import { PublicKey } from '@solana/web3.js';
import type { Database } from '../db/database.js';
import { isSmallOrder } from '../keys/ed25519.js';
import { formatApiKey, generateApiKey, hashSecret, isId, namedId } from './api-key.js';
import { KeyCommandError } from './errors.js';
import {
  addKey,
  findKey,
  findOrAddPartner,
  findPartner,
  holdKey,
  listKeys,
  markRevoked,
  replaceKey,
  type Partner,
  type StoredKey,
} from './key-repository.js';
import { SCOPES, type Scope } from './scopes.js';

export interface KeyStore {
  readonly database: Database;
  /** Milliseconds of the service's clock. */
  readonly now: () => number;
}

/** A key without its secret and the secret's hash. */
export interface KeyInfo extends Omit<StoredKey, 'secretHash'> {
  readonly state: 'active' | 'expired' | 'revoked';
}

export interface IssuedKey extends KeyInfo {
  /** The whole text, for the partner. It cannot be shown again. */
  readonly key: string;
}

export interface IssueKeyOptions {
  /** Name of the partner in the message that users sign. */
  readonly partner: string;
  /** Base58 address that receives the referral rewards. Required for a new partner. An existing partner keeps its own. */
  readonly payoutWallet?: string | undefined;
  /** The default is all scopes. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Rate limit of the key. Without it, the client's address is limited instead. */
  readonly requestLimit?: number | undefined;
  /** Seconds that the key is valid. Without it, the key does not expire. */
  readonly lifetimeSeconds?: number | undefined;
}

/** Letters, digits and plain punctuation, so that a name cannot imitate another line of the signed message. */
const PARTNER_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M} .,&'()+_-]{0,62}[\p{L}\p{N}\p{M}.)])?$/u;

/**
 * Creates a key for a partner, and the partner if it is new.
 *
 * @throws KeyCommandError when the name or the wallet cannot be used, or the partner has another payout wallet
 */
export async function issueKey(
  { database, now }: KeyStore,
  { partner: name, payoutWallet, scopes = SCOPES, requestLimit, lifetimeSeconds }: IssueKeyOptions,
): Promise<IssuedKey> {
  if (!PARTNER_NAME.test(name)) {
    throw new KeyCommandError(
      `the partner's name '${name}' cannot be used: 1 to 64 letters, digits, spaces and . , & ' ( ) + _ - are allowed, beginning with a letter or digit`,
    );
  }
  if (payoutWallet !== undefined) requireWallet(payoutWallet);
  if (scopes.length === 0)
    throw new KeyCommandError(`a key needs at least one scope; the scopes are ${SCOPES.join(', ')}`);
  return database.transaction(async (tx) => {
    const partner =
      payoutWallet === undefined
        ? await findPartner(tx, name)
        : await findOrAddPartner(tx, name, payoutWallet);
    if (partner === undefined) {
      throw new KeyCommandError(
        `the partner '${name}' is new and needs a payout wallet; name one with --wallet ADDRESS`,
      );
    }
    if (payoutWallet !== undefined && payoutWallet !== partner.payoutWallet) {
      throw new KeyCommandError(
        `the partner '${name}' has the payout wallet ${partner.payoutWallet}; leave --wallet out, or choose another name`,
      );
    }
    const createdAt = new Date(now());
    return makeKey(tx, partner, {
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      requestLimit: requestLimit ?? null,
      createdAt,
      expiresAt:
        lifetimeSeconds === undefined ? null : new Date(createdAt.getTime() + lifetimeSeconds * 1_000),
    });
  });
}

/**
 * Replaces a key by a new one with the same scopes, rate limit and lifetime. The lifetime starts now. The old key stays
 * valid for the overlap, but never longer than before. A key is rotated only once; rotate its successor next.
 *
 * @param idOrKey the key's id, or the whole key, whose secret is ignored
 * @param overlapSeconds for which the old key stays valid too
 * @throws KeyCommandError when the key is unknown, expired, revoked or rotated already
 */
export async function rotateKey(
  { database, now }: KeyStore,
  idOrKey: string,
  { overlapSeconds }: { readonly overlapSeconds: number },
): Promise<{ readonly issued: IssuedKey; readonly replaced: KeyInfo }> {
  const id = namedId(idOrKey);
  return database.transaction(async (tx) => {
    // The lock serializes this with a concurrent revocation.
    const old = await holdKey(tx, id);
    if (old === undefined) throw unknownKey(id);
    const createdAt = new Date(now());
    const { state } = describeKey(old, createdAt);
    if (state === 'revoked') throw notRotatable(id, 'is revoked', 'issue a new one');
    if (old.replacedBy !== null) {
      throw notRotatable(
        id,
        `was rotated already, to ${old.replacedBy}`,
        'rotate that one, or issue a new one',
      );
    }
    if (state === 'expired') throw notRotatable(id, 'is expired', 'issue a new one');
    const lifetimeMs = old.expiresAt === null ? undefined : old.expiresAt.getTime() - old.createdAt.getTime();
    const issued = await makeKey(tx, old.partner, {
      scopes: old.scopes,
      requestLimit: old.requestLimit,
      createdAt,
      expiresAt: lifetimeMs === undefined ? null : new Date(createdAt.getTime() + lifetimeMs),
    });
    const end = createdAt.getTime() + overlapSeconds * 1_000;
    const expiresAt = new Date(Math.min(end, old.expiresAt?.getTime() ?? end));
    const replacement = { replacedBy: issued.id, expiresAt };
    await replaceKey(tx, id, replacement);
    return { issued, replaced: describeKey({ ...old, ...replacement }, createdAt) };
  });
}

/**
 * Revokes a key permanently.
 *
 * @param idOrKey the key's id, or the whole key, whose secret is ignored
 * @throws KeyCommandError when it is unknown or revoked already
 */
export async function revokeKey({ database, now }: KeyStore, idOrKey: string): Promise<KeyInfo> {
  const id = namedId(idOrKey);
  const revokedAt = new Date(now());
  const revoked = await markRevoked(database.queries, id, revokedAt);
  const key = await findKey(database.queries, id);
  if (key === undefined) throw unknownKey(id);
  if (!revoked)
    throw new KeyCommandError(`the key ${id} is revoked already, since ${key.revokedAt?.toISOString()}`);
  return describeKey(key, revokedAt);
}

/** Every key, by partner and age. */
export async function describeKeys({ database, now }: KeyStore): Promise<KeyInfo[]> {
  const at = new Date(now());
  return (await listKeys(database.queries)).map((key) => describeKey(key, at));
}

export function keyState(
  { expiresAt, revokedAt }: Pick<StoredKey, 'expiresAt' | 'revokedAt'>,
  at: Date,
): KeyInfo['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= at.getTime() ? 'expired' : 'active';
}

async function makeKey(
  tx: Parameters<typeof addKey>[0],
  partner: Partner,
  terms: Pick<StoredKey, 'scopes' | 'requestLimit' | 'createdAt' | 'expiresAt'>,
): Promise<IssuedKey> {
  const { id, secret } = generateApiKey();
  const secretHash = hashSecret(secret);
  await addKey(tx, { id, partnerId: partner.id, secretHash, ...terms });
  const stored = { id, partner, secretHash, ...terms, revokedAt: null, replacedBy: null, lastUsedAt: null };
  return { key: formatApiKey({ id, secret }), ...describeKey(stored, terms.createdAt) };
}

function describeKey({ secretHash: _secretHash, ...info }: StoredKey, at: Date): KeyInfo {
  return { ...info, state: keyState(info, at) };
}

/** A payout wallet must be able to sign: it claims its rewards by signature. */
function requireWallet(address: string): void {
  let key: PublicKey | undefined;
  try {
    key = new PublicKey(address);
  } catch {
    key = undefined;
  }
  const canSign =
    key?.toBase58() === address && PublicKey.isOnCurve(key.toBytes()) && !isSmallOrder(key.toBytes());
  if (!canSign) {
    throw new KeyCommandError(
      `the payout wallet '${address}' must be the base58 address of a wallet that can sign (a usable point of the ed25519 curve)`,
    );
  }
}

function notRotatable(id: string, why: string, instead: string): KeyCommandError {
  return new KeyCommandError(`the key ${id} ${why} and cannot be rotated; ${instead}`);
}

function unknownKey(id: string): KeyCommandError {
  // The text may be a key with a typing error.
  const which = isId(id) ? id : 'with this id; an id has 16 hexadecimal digits';
  return new KeyCommandError(`there is no key ${which}; \`curvekit key list\` shows every id`);
}
