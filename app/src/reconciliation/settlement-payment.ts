// Recognises a settlement on chain: the amounts that the DEX owner took from a token's storages, and the parts that it
// paid.
import {
  associatedTokenAddress,
  ATA_PROGRAM_ADDRESS,
  NATIVE_MINT_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import { ComputeBudgetProgram, PublicKey, SystemProgram } from '@solana/web3.js';
import {
  MEMO_PROGRAM_ADDRESS,
  readMemo,
  type SettlementName,
  type Division,
} from '../graduation/settlement/payment/memo.js';
import type { Side } from '../graduation/settlement/payment/plan.js';
import { splitSol, splitTokens, type Shares } from '../graduation/settlement/payment/split.js';
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
  /** From its memo; undefined without one. */
  readonly name: SettlementName | undefined;
  /** Whether every instruction belongs to a settlement. */
  readonly isUnderstood: boolean;
}

export interface Parts {
  readonly sol: Side;
  readonly token: Side;
  readonly treasury: string | null;
  readonly lp: string | null;
}

export interface Receivers {
  readonly treasuries: ReadonlySet<string>;
  readonly creator: string;
}

const SYSTEM = SystemProgram.programId.toBase58();
const TOKEN = TOKEN_PROGRAM_ADDRESS.toBase58();
const NATIVE = NATIVE_MINT_ADDRESS.toBase58();
const MEMO = MEMO_PROGRAM_ADDRESS.toBase58();
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
  let name: SettlementName | undefined;

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

  /** A settlement has one memo, in the form that this version knows. */
  function ofMemo({ accounts, data }: ChainInstruction): boolean {
    const read = name === undefined && accounts.length === 0 ? readMemo(data.toString()) : undefined;
    name ??= read;
    return read !== undefined;
  }

  for (const instruction of instructions) {
    const { program } = instruction;
    const known =
      PREPARING.has(program) ||
      (program === TOKEN && ofToken(instruction)) ||
      (program === SYSTEM && ofSystem(instruction)) ||
      (program === MEMO && ofMemo(instruction));
    isUnderstood &&= known;
  }
  return { wsolSources, sol, solTransfers, tokenSources, burned, tokenTransfers, name, isUnderstood };
}

/** Whether a settlement opened its creator's token account. The instruction is there only when the account was missing. */
export function opensAccountOf({ instructions }: ChainTransaction, owner: string, mint: string): boolean {
  const account = associatedTokenAddress(new PublicKey(owner), new PublicKey(mint)).address.toBase58();
  const ata = ATA_PROGRAM_ADDRESS.toBase58();
  return instructions.some(({ program, accounts }) => program === ata && accounts[1] === account);
}

/**
 * The parts that a settlement of a token paid. Its memo names their division; without a memo the possible ones are tried. In
 * both cases the token's shares must give the division, and the transfers must be exactly its parts.
 *
 * @returns undefined when they are not
 */
export function partsOf(
  { sol, burned, solTransfers, tokenTransfers, name, isUnderstood }: Taking,
  token: Shares & { readonly mint: string },
  { treasuries, creator }: Receivers,
): Parts | undefined {
  if (!isUnderstood) return undefined;
  const units = tokenTransfers.reduce((sum, { amount }) => sum + amount, burned);
  const accountOf = (wallet: string) =>
    associatedTokenAddress(new PublicKey(wallet), new PublicKey(token.mint)).address.toBase58();
  const wallets = [...treasuries];
  const accounts = { treasuries: new Set(wallets.map(accountOf)), creator: accountOf(creator) };
  const divisions = name === undefined ? possibleDivisions({ sol, token: units }, token) : [name];
  for (const division of divisions) {
    const hasHolders = division.solHolders > 0n || division.tokenHolders > 0n;
    const ofSol = splitSol(sol, token, hasHolders);
    const ofTokens = splitTokens(units, token, hasHolders);
    const isOfShares =
      ofSol.holders === division.solHolders &&
      ofTokens.holders === division.tokenHolders &&
      ofTokens.burn === burned;
    if (!isOfShares) continue;
    const sides = {
      sol: { taken: sol, parts: ofSol, creatorCredited: division.solCreatorCredited },
      token: { taken: units, parts: ofTokens, creatorCredited: division.tokenCreatorCredited },
    };
    const toWallets = paidBy(solTransfers, sides.sol, { treasuries, creator });
    // Token accounts do not show their owner here. The LP address's account can be any.
    const toAccounts = paidBy(tokenTransfers, sides.token, accounts);
    if (toWallets === undefined || toAccounts === undefined) continue;
    const treasury =
      toWallets.treasury ?? wallets.find((wallet) => accountOf(wallet) === toAccounts.treasury);
    return { ...sides, treasury: treasury ?? null, lp: toWallets.lp };
  }
  return undefined;
}

/** Who received a side's parts, if the transfers are these: to the treasury, the LP address, the creator. Parts of 0 have none. */
function paidBy(
  transfers: readonly Transfer[],
  { parts, creatorCredited }: Side,
  { treasuries, creator }: Receivers,
): Pick<Parts, 'treasury' | 'lp'> | undefined {
  if (creatorCredited !== 0n && creatorCredited !== parts.creator) return undefined;
  const left = [...transfers];
  const receiverOf = (part: bigint, mayReceive: (to: string) => boolean): string | null | undefined => {
    if (part === 0n) return null;
    const next = left.shift();
    return next?.amount === part && mayReceive(next.to) ? next.to : undefined;
  };
  const treasury = receiverOf(parts.holders + creatorCredited, (to) => treasuries.has(to));
  const lp = receiverOf(parts.lp, () => true);
  const last = receiverOf(parts.creator - creatorCredited, (to) => to === creator);
  if (treasury === undefined || lp === undefined || last === undefined || left.length > 0) return undefined;
  return { treasury, lp };
}

// Settlements of earlier versions have no memo. What they divided is guessed from their amounts.

/**
 * The divisions that such a settlement can have, in the order in which they are tried. Two of them can pay the same: a token
 * without holders whose creator is credited, and a token with holders and a credited creator. Then the treasury's part
 * counts as the holders'.
 */
function* possibleDivisions(
  taken: { readonly sol: bigint; readonly token: bigint },
  shares: Shares,
): Generator<Division> {
  for (const hasHolders of [true, false]) {
    const sol = splitSol(taken.sol, shares, hasHolders);
    const token = splitTokens(taken.token, shares, hasHolders);
    for (const solCreatorCredited of [0n, sol.creator])
      for (const tokenCreatorCredited of [0n, token.creator])
        yield {
          solHolders: sol.holders,
          tokenHolders: token.holders,
          solCreatorCredited,
          tokenCreatorCredited,
        };
  }
}
