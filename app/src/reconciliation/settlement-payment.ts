// Recognises a settlement on chain: the amounts that the DEX owner took from a token's storages, and the parts that it
// paid.
import {
  associatedTokenAddress,
  ATA_PROGRAM_ADDRESS,
  NATIVE_MINT_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import { ComputeBudgetProgram, PublicKey, SystemProgram } from '@solana/web3.js';
import type { Side } from '../settlement/plan.js';
import { splitSol, splitTokens, type Shares } from '../settlement/split.js';
import type { ChainInstruction, ChainTransaction } from './chain-transaction.js';

export interface Transfer {
  /** A wallet for SOL; a token account for tokens. */
  readonly to: string;
  readonly amount: bigint;
}

/** Amounts that a transaction takes with the DEX owner's signature. Lamports and token base units. */
export interface Taking {
  /** Wrapped SOL accounts that the transaction takes from. */
  readonly wsolSources: readonly string[];
  readonly sol: bigint;
  readonly solTransfers: readonly Transfer[];
  /** Token accounts that the transaction takes from, and their tokens. */
  readonly tokenSources: readonly { readonly account: string; readonly mint: string }[];
  readonly burned: bigint;
  readonly tokenTransfers: readonly Transfer[];
  /** Whether every instruction belongs to a settlement. */
  readonly isUnderstood: boolean;
}

export interface Parts {
  readonly sol: Side;
  readonly token: Side;
  readonly treasury: string | null;
  readonly lp: string | null;
}

/** Allowed receivers of a token's settlement. */
export interface Receivers {
  readonly treasuries: ReadonlySet<string>;
  readonly creator: string;
}

const SYSTEM = SystemProgram.programId.toBase58();
const TOKEN = TOKEN_PROGRAM_ADDRESS.toBase58();
const NATIVE = NATIVE_MINT_ADDRESS.toBase58();
/** Programs that pay for the transaction or open accounts. They take nothing from a storage. */
const PREPARING = new Set([ComputeBudgetProgram.programId.toBase58(), ATA_PROGRAM_ADDRESS.toBase58()]);
const CREATE_ACCOUNT = 0;
const SYSTEM_TRANSFER = 2;
const TRANSFER = 3;
const BURN = 8;
const CLOSE_ACCOUNT = 9;
const TRANSFER_CHECKED = 12;
const BURN_CHECKED = 15;
const SYNC_NATIVE = 17;
const INITIALIZE_ACCOUNT_3 = 18;
/** Instructions that do not change the balance of a storage. A closed storage must be empty. */
const HARMLESS = new Set([CLOSE_ACCOUNT, SYNC_NATIVE, INITIALIZE_ACCOUNT_3]);

/** Reads the amounts that a transaction takes with the DEX owner's signature. */
export function takingIn({ instructions }: ChainTransaction, dexOwner: string): Taking {
  const wsolSources: string[] = [];
  const tokenSources: { account: string; mint: string }[] = [];
  const solTransfers: Transfer[] = [];
  const tokenTransfers: Transfer[] = [];
  let [sol, burned, isUnderstood] = [0n, 0n, true];

  function ofToken({ accounts, data }: ChainInstruction): boolean {
    const tag = data[0] ?? -1;
    if (HARMLESS.has(tag)) return true;
    if (data.length < 9) return false;
    const amount = data.readBigUInt64LE(1);
    const [first, second, third, fourth] = accounts;
    if (tag === TRANSFER_CHECKED && fourth === dexOwner && first && second && third) {
      if (second === NATIVE) {
        wsolSources.push(first);
        sol += amount;
      } else {
        tokenSources.push({ account: first, mint: second });
        tokenTransfers.push({ to: third, amount });
      }
      return true;
    }
    if (tag === BURN_CHECKED && third === dexOwner && first && second) {
      tokenSources.push({ account: first, mint: second });
      burned += amount;
      return true;
    }
    // This instruction does not name the mint, but it can still take from a storage.
    if ((tag === TRANSFER || tag === BURN) && third === dexOwner && first) wsolSources.push(first);
    return false;
  }

  function ofSystem({ accounts, data }: ChainInstruction): boolean {
    const tag = data.length >= 4 ? data.readUInt32LE() : -1;
    const [from, to] = accounts;
    if (tag === CREATE_ACCOUNT) return from === dexOwner;
    if (tag !== SYSTEM_TRANSFER || from !== dexOwner || to === undefined) return false;
    solTransfers.push({ to, amount: data.readBigUInt64LE(4) });
    return true;
  }

  for (const instruction of instructions) {
    const { program } = instruction;
    const known =
      PREPARING.has(program) ||
      (program === TOKEN && ofToken(instruction)) ||
      (program === SYSTEM && ofSystem(instruction));
    isUnderstood &&= known;
  }
  return { wsolSources, sol, solTransfers, tokenSources, burned, tokenTransfers, isUnderstood };
}

/** Whether a settlement opened its creator's token account. The instruction is there only when the account was missing. */
export function opensAccountOf({ instructions }: ChainTransaction, owner: string, mint: string): boolean {
  const account = associatedTokenAddress(new PublicKey(owner), new PublicKey(mint)).address.toBase58();
  const ata = ATA_PROGRAM_ADDRESS.toBase58();
  return instructions.some(({ program, accounts }) => program === ata && accounts[1] === account);
}

/** The parts that a settlement of a token paid; undefined when no split of the total gives these amounts. */
export function partsOf(
  taking: Taking,
  token: Shares & { readonly mint: string },
  receivers: Receivers,
): Parts | undefined {
  const { sol, burned, solTransfers, tokenTransfers } = taking;
  const units = burned + tokenTransfers.reduce((sum, { amount }) => sum + amount, 0n);
  const accountOf = (wallet: string) =>
    associatedTokenAddress(new PublicKey(wallet), new PublicKey(token.mint)).address.toBase58();
  // Token accounts do not show their owner here. The accounts that match nobody else belong to the LP address.
  const inTokens = {
    treasuries: new Map([...receivers.treasuries].map((wallet) => [accountOf(wallet), wallet])),
    creator: accountOf(receivers.creator),
  };
  const inSol = {
    treasuries: new Map([...receivers.treasuries].map((wallet) => [wallet, wallet])),
    creator: receivers.creator,
  };
  for (const hasHolders of [true, false]) {
    const ofSol = sideOf(sol, 0n, solTransfers, splitSol(sol, token, hasHolders), inSol);
    const ofTokens = sideOf(units, burned, tokenTransfers, splitTokens(units, token, hasHolders), inTokens);
    if (ofSol === undefined || ofTokens === undefined) continue;
    return {
      sol: ofSol.side,
      token: ofTokens.side,
      treasury: ofSol.treasury ?? ofTokens.treasury ?? null,
      lp: ofSol.lp ?? null,
    };
  }
  return undefined;
}

interface SideOnChain {
  readonly side: Side;
  readonly treasury: string | undefined;
  readonly lp: string | undefined;
}

/** One side, if these transfers are its parts in the order treasury, LP address, creator. Parts of 0 have no transfer. */
function sideOf(
  taken: bigint,
  burned: bigint,
  transfers: readonly Transfer[],
  parts: Side['parts'],
  { treasuries, creator }: { readonly treasuries: ReadonlyMap<string, string>; readonly creator: string },
): SideOnChain | undefined {
  if (parts.burn !== burned) return undefined;
  for (const creatorCredited of parts.creator === 0n ? [0n] : [0n, parts.creator]) {
    const expected = [
      { role: 'treasury', amount: parts.holders + creatorCredited },
      { role: 'lp', amount: parts.lp },
      { role: 'creator', amount: parts.creator - creatorCredited },
    ].filter(({ amount }) => amount > 0n);
    const isPaid =
      expected.length === transfers.length &&
      expected.every(({ role, amount }, index) => {
        const { to, amount: paid } = transfers[index]!;
        if (paid !== amount) return false;
        return role === 'treasury' ? treasuries.has(to) : role === 'lp' || to === creator;
      });
    if (!isPaid) continue;
    const receiverOf = (wanted: string) => transfers[expected.findIndex(({ role }) => role === wanted)]?.to;
    const treasury = receiverOf('treasury');
    return {
      side: { taken, parts, creatorCredited },
      treasury: treasury === undefined ? undefined : treasuries.get(treasury),
      lp: receiverOf('lp'),
    };
  }
  return undefined;
}
