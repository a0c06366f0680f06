// Split brain: keeps the epoch of a treasury on chain, so that of several copies of a database at most one signs claims.
import { compileTransaction } from '@curvekit/sdk';
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { Context } from '../../context.js';
import { askNode, rentMinimum, LAMPORTS_PER_SIGNATURE } from '../../chain/connection.js';
import { type Signer, signTransaction } from '../../keys/signer.js';
import {
  costOfOpening,
  isOpened,
  markAddress,
  markOf,
  readMark,
  writeMark,
  type MarkAccount,
} from './mark-account.js';
import { CLOSED, readMarkRow, storeMarkRow, type Mark } from './marks.js';
import type { payerMarks } from '../../db/schema/index.js';

/** Reads a finalized account at a slot or later. */
interface FinalAccounts {
  account(address: PublicKey, minSlot: number, signal: AbortSignal): Promise<MarkAccount>;
}

/** How to look: the tip of the chain, read before the epochs. */
interface At {
  readonly tip: {
    readonly slot: number;
    /** Finalized block height. */
    readonly height: number;
  };
  readonly signal: AbortSignal;
}

/** What a database sees of a treasury's epoch. Its own epoch is not needed for that. */
interface View extends Omit<Seen, 'own'> {
  readonly treasury: string;
  /** The treasury's key, if this instance has it. */
  readonly key: Signer | undefined;
  readonly known: Mark;
  readonly address: PublicKey;
  readonly account: MarkAccount;
}

type Look = View & Seen;

interface Sent {
  readonly mark: string;
  readonly bytes: Uint8Array;
  readonly lastValidBlockHeight: number;
}

const UNTIL_BOOKED = 'closed until the payments on chain are reconciled with this database';
const UNTIL_FINAL = 'closed until it is final on chain that this database pays, about 15 seconds';

export class Payer {
  readonly #context: Context;
  readonly #node: FinalAccounts;
  /** The last transaction that writes an epoch. It is sent again until it has landed or expired. */
  #sent: Sent | undefined;

  constructor(context: Context, node: FinalAccounts) {
    this.#context = context;
    this.#node = node;
  }

  /**
   * Looks at the epochs of these treasuries and stores until when their claims may be signed. Writes the epoch of the instance's own
   * treasury where this database may.
   *
   * @param incarnation of `database_incarnation()`
   * @returns call it when all payments up to the tip are booked: it opens claims that were closed
   * @throws the RPC node's error; then claims may be signed as long as after the last look
   */
  async look(treasuries: Iterable<string>, incarnation: string, at: At): Promise<() => Promise<void>> {
    const opening: (() => Promise<void>)[] = [];
    for (const treasury of treasuries) {
      const look = { ...(await this.#read(treasury, at)), own: markOf(treasury, incarnation) };
      const decision = decide(look.known, look);
      if (decision.kind === 'successor' && look.key !== undefined) {
        await this.#write(look, look.key);
        continue;
      }
      const row = rowOf(look, decision);
      const opens = row.validTo !== null && (look.known.validTo === null || look.known.mark !== look.own);
      if (opens) opening.push(() => this.#store(look, row));
      const held = look.key === undefined ? null : UNTIL_BOOKED;
      await this.#store(look, opens ? { ...row, validTo: null, held } : row);
    }
    return async () => {
      for (const open of opening) await open();
    };
  }

  /** Makes this database the successor of the one that has the epoch. @returns that epoch; undefined when no epoch is on chain */
  async takeOver(treasury: string, at: At): Promise<string | undefined> {
    const view = await this.#read(treasury, at);
    const { onChain } = view;
    if (onChain !== undefined)
      await this.#store(view, { ...CLOSED, ...takingOver(onChain), held: UNTIL_FINAL });
    return onChain;
  }

  async #read(treasury: string, { tip: { slot, height }, signal }: At): Promise<View> {
    const { config, database } = this.#context;
    const key = config.treasury?.publicKey.toBase58() === treasury ? config.treasury : undefined;
    const address = await markAddress(new PublicKey(treasury));
    const account = await this.#node.account(address, slot, signal);
    const known = await readMarkRow(database.queries, treasury);
    const onChain = readMark(address, account);
    return { treasury, key, known, onChain, height, address, account };
  }

  /** The row is stored before the transaction is sent: a process that takes over in between knows the epoch. */
  async #write(look: Look, key: Signer): Promise<void> {
    const row = { ...CLOSED, ...heirOf(look.known, look, isOpened(look.account)) };
    const isOnItsWay = this.#sent?.mark === look.own && look.height <= this.#sent.lastValidBlockHeight;
    const sending = isOnItsWay ? this.#sent : await this.#sign(look, key);
    this.#sent = sending;
    // Settlements are not held when the treasury has too little SOL: they bring it.
    await this.#store(look, { ...row, held: sending === undefined ? null : UNTIL_FINAL });
    if (sending === undefined) return;
    await askNode(this.#context.connection.sendRawTransaction(sending.bytes, { skipPreflight: true }));
  }

  /** Undefined when the treasury has too little SOL. */
  async #sign({ own, address, account }: Look, key: Signer): Promise<Sent | undefined> {
    const { connection } = this.#context;
    const [balance, kept, rent, { blockhash, lastValidBlockHeight }] = await askNode(
      Promise.all([
        connection.getBalance(key.publicKey, 'confirmed'),
        rentMinimum(connection, 0),
        rentMinimum(connection, ACCOUNT_SIZE),
        connection.getLatestBlockhash('confirmed'),
      ]),
    );
    if (balance < costOfOpening(account, rent) + Number(LAMPORTS_PER_SIGNATURE) + kept) return undefined;
    const instructions = writeMark(key.publicKey, own, { address, account, rent });
    const transaction = compileTransaction({ payer: key.publicKey, instructions }, blockhash);
    await signTransaction(transaction, [key]);
    return { mark: own, bytes: transaction.serialize(), lastValidBlockHeight };
  }

  #store({ treasury }: View, row: Mark): Promise<void> {
    return storeMarkRow(this.#context.database, treasury, row);
  }
}

function rowOf({ known, key, own, height }: Look, decision: Decision): Mark {
  const { mark, previous } = known;
  const shown = (held: string): string | null => (key === undefined ? null : held);
  switch (decision.kind) {
    case 'successor':
      return { ...CLOSED, mark, previous };
    case 'lost':
      return { ...CLOSED, mark, previous, held: shown(lost(decision.to)), isLost: key !== undefined };
    case 'own': {
      const { opensAt } = decision;
      const until = validTo(opensAt, height) ?? null;
      const held = until === null ? shown(waiting(opensAt, height)) : null;
      return { ...CLOSED, ...ownerOf(known, own, opensAt), validTo: until, held };
    }
  }
}

function waiting(opensAt: number, height: number): string {
  return `closed until finalized block ${opensAt}, which is ${opensAt - height} blocks away: until then what another database has signed can land`;
}

function lost(to: string): string {
  return `closed: another database pays since this one was left behind or restored (epoch ${to}); if it shall pay no more, run \`curvekit ledger reconcile --take-over\` here`;
}

// Which database pays: the decision alone, without a chain or a database. docs/decisions/split-brain.md says why two never do.

/**
 * A claim is signed only if it expires at most this many blocks after the finalized block at which the epoch was last seen. A claim
 * lives for 151 blocks, a finalized block is about 32 blocks old, and 73 blocks, 29 seconds, may pass between two looks.
 */
const LEASE_BLOCKS = 256;

/** The epoch of an account that had none, or of which it is not known. */
const NO_MARK = '';

/** What the tables say about the epoch of a treasury. */
export type Known = Pick<typeof payerMarks.$inferSelect, 'mark' | 'previous' | 'opensAt'>;

/** What a look at the chain shows. */
export interface Seen {
  /** The epoch of the database as it runs now. */
  readonly own: string;
  /** The epoch in the finalized account at this height or later. */
  readonly onChain: string | undefined;
  /** Finalized block height. */
  readonly height: number;
}

export type Decision =
  /** This database pays, from that finalized height on. */
  | { readonly kind: 'own'; readonly opensAt: number }
  /** This database continues the one that has the epoch, so it may write its own. */
  | { readonly kind: 'successor' }
  /** Another database has taken over, of which this one does not know. */
  | { readonly kind: 'lost'; readonly to: string };

export function decide(known: Known, { own, onChain, height }: Seen): Decision {
  if (onChain === own) return { kind: 'own', opensAt: opensAt(known, own, height) };
  // Once the own epoch was on chain, the one before it is there again only because somebody chose that database.
  const isStillThere = known.opensAt === null && onChain === known.previous;
  if (onChain === undefined || onChain === known.mark || isStillThere) return { kind: 'successor' };
  return { kind: 'lost', to: onChain };
}

function opensAt(known: Known, own: string, height: number): number {
  if (known.mark !== own) return height + LEASE_BLOCKS;
  if (known.opensAt !== null) return known.opensAt;
  // Who opens the account is the first: nobody has signed claims before.
  return known.previous === null ? height : height + LEASE_BLOCKS;
}

/** What a database knows once its own epoch is on chain. */
export function ownerOf({ mark, previous }: Known, own: string, opensAt: number): Known {
  return { mark: own, previous: mark === own ? previous : mark, opensAt };
}

/** What a successor knows when it writes its epoch. A node that is behind may show no epoch although there was one. */
export function heirOf(known: Known, { own, onChain }: Seen, isOpened: boolean): Known {
  const before = known.mark === null ? (isOpened ? NO_MARK : null) : known.mark;
  return { mark: own, previous: onChain ?? (known.mark === own ? known.previous : before), opensAt: null };
}

/** What a database knows when an operator lets it take over from the one that has the epoch. */
export function takingOver(onChain: string): Known {
  return { mark: onChain, previous: NO_MARK, opensAt: null };
}

/** The highest `lastValidBlockHeight` of a claim that may be signed; undefined while none may be. */
export function validTo(opensAt: number, height: number): number | undefined {
  return height >= opensAt ? height + LEASE_BLOCKS : undefined;
}
