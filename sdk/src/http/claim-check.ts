// Checks a claim transaction before the wallet signs it: it must not cost the wallet anything. Only the known forms of
// a claim pass, because any other instruction could use the wallet's signature.
import { findProgramAddress } from '../accounts/derive.js';
import {
  ATA_PROGRAM,
  COMPUTE_BUDGET,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../checks/programs.js';
import { decodeBase58, encodeBase58 } from '../encoding/base58.js';
import { CurvekitError } from '../errors/index.js';
import { readMessage, versionOf, type Step, type WireMessage } from './wire-transaction.js';

/** The transaction from the service is not the requested claim. Do not sign it. */
export class UntrustedTransactionError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'UntrustedTransactionError';
  constructor(problem: string) {
    super(`the transaction is not the claim that was asked for: ${problem}`);
  }
}

/** The requested claim. Addresses in base58. */
export interface ExpectedClaim {
  readonly wallet: string;
  readonly mint: string;
  readonly claimType: 'SOL' | 'TOKEN';
  readonly burn: boolean;
}

interface Claim extends ExpectedClaim {
  /**
   * Pays the fee and the claim. As fee payer it must be an account without data, so it cannot be a multisig account.
   */
  readonly payer: string;
  /** The wallet's token account. */
  readonly own: string;
}

/** The possible steps of a token claim, in this order, each at most once. */
const ORDER = ['create', 'transfer', 'burn', 'close'] as const;
type TokenStep = (typeof ORDER)[number];

const SYSTEM_TRANSFER = 2;
const SYSTEM_TRANSFER_BYTES = 12;
const CREATE = 0;
const CREATE_IDEMPOTENT = 1;
const TOKEN_INSTRUCTIONS: ReadonlyMap<
  number | undefined,
  { readonly step: TokenStep; readonly bytes: number }
> = new Map([
  [12, { step: 'transfer', bytes: 10 }],
  [15, { step: 'burn', bytes: 10 }],
  [9, { step: 'close', bytes: 1 }],
]);
/** Those of the payer and of the wallet. */
const SIGNATURES = 2;

/**
 * Checks that the transaction costs the wallet nothing when it signs. The wallet pays no fee and sends nothing. It
 * burns only tokens that it receives in the same transaction, and only if it asked for that. It closes no account that
 * existed before.
 *
 * @param message of the serialized transaction
 * @returns the lamports or token units that the wallet receives, and the message
 * @throws UntrustedTransactionError; RangeError for bytes that are no message
 */
export function requireClaim(
  bytes: Uint8Array,
  expected: ExpectedClaim,
): { readonly amount: bigint; readonly message: WireMessage } {
  const version = versionOf(bytes);
  if (version !== 0) refuse(`it is of version ${version ?? 'legacy'}, not 0`);
  const message = readMessage(bytes);
  if (message.looksUp) refuse('it looks addresses up');
  const payer = requirePayer(message, expected.wallet);
  const claim = { ...expected, payer, own: tokenAccountOf(expected) };
  // The payer pays for compute units, so these instructions are safe.
  const steps = message.instructions.filter(({ program }) => program !== COMPUTE_BUDGET);
  return {
    amount: claim.claimType === 'SOL' ? requireSol(steps, claim) : requireTokens(steps, claim),
    message,
  };
}

function tokenAccountOf({ wallet, mint }: ExpectedClaim): string {
  const seeds = [wallet, TOKEN_PROGRAM, mint].map(decodeBase58);
  return encodeBase58(findProgramAddress(seeds, decodeBase58(ATA_PROGRAM)).address);
}

function requirePayer({ accounts, requiredSignatures }: WireMessage, wallet: string): string {
  const [payer, ...others] = accounts.slice(0, requiredSignatures);
  if (payer === undefined) refuse('nobody pays its fee');
  if (payer === wallet) refuse('the wallet would pay its fee');
  if (!others.includes(wallet)) refuse('it needs no signature of the wallet');
  if (requiredSignatures !== SIGNATURES) refuse('it needs the signature of somebody else');
  return payer;
}

function requireSol(steps: readonly Step[], { payer, wallet, mint }: Claim): bigint {
  let received = 0n;
  for (const { program, accounts, data } of steps) {
    if (program !== SYSTEM_PROGRAM) refuse(`it calls ${String(program)}`);
    if (data.length !== SYSTEM_TRANSFER_BYTES || view(data).getUint32(0, true) !== SYSTEM_TRANSFER) {
      refuse('it does more than transfer SOL');
    }
    const [from, to, ...rest] = accounts;
    if (from === wallet) refuse('the wallet would pay');
    if (from !== payer) refuse('somebody else than its fee payer would pay');
    if (to !== wallet) refuse('it pays somebody else');
    if (!rest.every((key) => key === mint || key === wallet)) refuse('its transfer has other accounts');
    received += view(data).getBigUint64(4, true);
  }
  if (received === 0n) refuse('it gives no SOL');
  return received;
}

function requireTokens(steps: readonly Step[], claim: Claim): bigint {
  let last = -1;
  let isNew = false;
  let received = 0n;
  let burned = 0n;
  for (const step of steps) {
    const kind = kindOf(step);
    const position = ORDER.indexOf(kind);
    if (position <= last) refuse(`it has a ${kind} where none belongs`);
    last = position;
    if (kind === 'create') isNew = requireCreation(step, claim);
    else if (kind === 'transfer') received = requireTransfer(step, claim);
    else if (kind === 'burn') burned = requireBurn(step, claim);
    else requireClosing(step, claim, isNew);
  }
  if (received === 0n) refuse('it gives no tokens');
  if (burned > received) refuse('it burns more than it gives');
  if (claim.burn && burned < received) refuse('it does not burn what it gives');
  return received;
}

function kindOf({ program, data }: Step): TokenStep {
  if (program === ATA_PROGRAM) {
    if (data.length > 1 || (data[0] ?? CREATE) > CREATE_IDEMPOTENT)
      refuse('it does more than open an account');
    return 'create';
  }
  if (program !== TOKEN_PROGRAM) refuse(`it calls ${String(program)}`);
  const known = TOKEN_INSTRUCTIONS.get(data[0]);
  if (known?.bytes !== data.length) refuse('it calls the token program for something else');
  return known.step;
}

/** @returns whether the instruction fails when the account already exists */
function requireCreation({ accounts, data }: Step, { payer, own, wallet, mint }: Claim): boolean {
  if (accounts[0] === wallet) refuse('the wallet would pay');
  if (!are(accounts, [payer, own, wallet, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM])) {
    refuse("it opens another account than the wallet's of the token");
  }
  return data[0] !== CREATE_IDEMPOTENT;
}

/** @returns the units that the wallet receives */
function requireTransfer({ accounts, data }: Step, { payer, own, wallet, mint }: Claim): bigint {
  const [from, ofMint, to, authority, ...signers] = accounts;
  if (authority === wallet || from === own) refuse('it sends tokens of the wallet');
  // For a multisig authority the accounts after it are its signers, and the wallet could be one.
  if (authority !== payer) refuse('it sends tokens that are not of its fee payer');
  if (ofMint !== mint) refuse('it sends other tokens');
  if (to !== own) refuse('it sends tokens to somebody else');
  if (!signers.every((key) => key === wallet)) refuse('its transfer has other accounts');
  return view(data).getBigUint64(1, true);
}

/** @returns the units that the wallet loses */
function requireBurn({ accounts, data }: Step, { own, wallet, mint, burn }: Claim): bigint {
  if (!burn) refuse('it burns tokens');
  if (!are(accounts, [own, mint, wallet])) refuse('it burns other tokens');
  return view(data).getBigUint64(1, true);
}

/**
 * The wallet owns the rent of an account that existed before, and closing the account would also move its wrapped SOL.
 */
function requireClosing({ accounts }: Step, { own, wallet, mint, burn }: Claim, isNew: boolean): void {
  const [account, rentTo, ...authority] = accounts;
  if (!burn || account !== own || !are(authority, [wallet])) refuse('it closes an account');
  if (mint === NATIVE_MINT) refuse('it closes an account of wrapped SOL');
  if (!isNew && rentTo !== wallet) refuse('it gives away the rent of an account that it may not have opened');
}

function are(keys: readonly (string | undefined)[], expected: readonly string[]): boolean {
  return keys.length === expected.length && expected.every((key, index) => keys[index] === key);
}

function view(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function refuse(problem: string): never {
  throw new UntrustedTransactionError(problem);
}
