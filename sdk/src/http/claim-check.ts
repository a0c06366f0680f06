// Checks a claim transaction before the wallet signs it: it must not cost the wallet anything. Only the known forms of
// a claim pass, because any other instruction could use the wallet's signature.
import { associatedTokenAddress } from '../accounts/addresses.js';
import type { PublicKey, VersionedMessage, VersionedTransaction } from '../chain/types.js';
import { CurvekitError } from '../errors/index.js';
import {
  ATA_PROGRAM_ADDRESS,
  NATIVE_MINT_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../generated/program.js';
import { COMPUTE_BUDGET_ADDRESS } from '../instructions/foreign.js';

/** The transaction from the service is not the requested claim. Do not sign it. */
export class UntrustedTransactionError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'UntrustedTransactionError';
  constructor(problem: string) {
    super(`the transaction is not the claim that was asked for: ${problem}`);
  }
}

/** The requested claim. */
export interface ExpectedClaim {
  readonly wallet: PublicKey;
  readonly mint: PublicKey;
  readonly claimType: 'SOL' | 'TOKEN';
  readonly burn: boolean;
}

interface Claim extends ExpectedClaim {
  /**
   * Pays the fee and the claim. As fee payer it must be an account without data, so it cannot be a multisig account.
   */
  readonly payer: PublicKey;
  /** The wallet's token account. */
  readonly own: PublicKey;
}

interface Step {
  readonly program: PublicKey | undefined;
  readonly accounts: readonly (PublicKey | undefined)[];
  readonly data: Uint8Array;
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
 * @returns the lamports or token units that the wallet receives
 * @throws UntrustedTransactionError
 */
export function requireClaim({ message }: VersionedTransaction, expected: ExpectedClaim): bigint {
  if (message.version !== 0) refuse(`it is of version ${message.version}, not 0`);
  if (message.addressTableLookups.length > 0) refuse('it looks addresses up');
  const payer = requirePayer(message, expected.wallet);
  const own = associatedTokenAddress(expected.wallet, expected.mint).address;
  const claim = { ...expected, payer, own };
  // The payer pays for compute units, so these instructions are safe.
  const steps = stepsOf(message).filter(({ program }) => !is(program, COMPUTE_BUDGET_ADDRESS));
  return claim.claimType === 'SOL' ? requireSol(steps, claim) : requireTokens(steps, claim);
}

function requirePayer({ staticAccountKeys: keys, header }: VersionedMessage, wallet: PublicKey): PublicKey {
  const [payer, ...others] = keys.slice(0, header.numRequiredSignatures);
  if (payer === undefined) refuse('nobody pays its fee');
  if (payer.equals(wallet)) refuse('the wallet would pay its fee');
  if (!others.some((key) => key.equals(wallet))) refuse('it needs no signature of the wallet');
  if (header.numRequiredSignatures !== SIGNATURES) refuse('it needs the signature of somebody else');
  return payer;
}

function stepsOf({ staticAccountKeys: keys, compiledInstructions }: VersionedMessage): Step[] {
  return compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: keys[programIdIndex],
    accounts: [...accountKeyIndexes].map((index) => keys[index]),
    data,
  }));
}

function requireSol(steps: readonly Step[], { payer, wallet, mint }: Claim): bigint {
  let received = 0n;
  for (const { program, accounts, data } of steps) {
    if (!is(program, SYSTEM_PROGRAM_ADDRESS)) refuse(`it calls ${String(program)}`);
    if (data.length !== SYSTEM_TRANSFER_BYTES || view(data).getUint32(0, true) !== SYSTEM_TRANSFER) {
      refuse('it does more than transfer SOL');
    }
    const [from, to, ...rest] = accounts;
    if (is(from, wallet)) refuse('the wallet would pay');
    if (!is(from, payer)) refuse('somebody else than its fee payer would pay');
    if (!is(to, wallet)) refuse('it pays somebody else');
    if (!rest.every((key) => is(key, mint) || is(key, wallet))) refuse('its transfer has other accounts');
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
  if (is(program, ATA_PROGRAM_ADDRESS)) {
    if (data.length > 1 || (data[0] ?? CREATE) > CREATE_IDEMPOTENT)
      refuse('it does more than open an account');
    return 'create';
  }
  if (!is(program, TOKEN_PROGRAM_ADDRESS)) refuse(`it calls ${String(program)}`);
  const known = TOKEN_INSTRUCTIONS.get(data[0]);
  if (known?.bytes !== data.length) refuse('it calls the token program for something else');
  return known.step;
}

/** @returns whether the instruction fails when the account already exists */
function requireCreation({ accounts, data }: Step, { payer, own, wallet, mint }: Claim): boolean {
  if (is(accounts[0], wallet)) refuse('the wallet would pay');
  if (!are(accounts, [payer, own, wallet, mint, SYSTEM_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS])) {
    refuse("it opens another account than the wallet's of the token");
  }
  return data[0] !== CREATE_IDEMPOTENT;
}

/** @returns the units that the wallet receives */
function requireTransfer({ accounts, data }: Step, { payer, own, wallet, mint }: Claim): bigint {
  const [from, ofMint, to, authority, ...signers] = accounts;
  if (is(authority, wallet) || is(from, own)) refuse('it sends tokens of the wallet');
  // For a multisig authority the accounts after it are its signers, and the wallet could be one.
  if (!is(authority, payer)) refuse('it sends tokens that are not of its fee payer');
  if (!is(ofMint, mint)) refuse('it sends other tokens');
  if (!is(to, own)) refuse('it sends tokens to somebody else');
  if (!signers.every((key) => is(key, wallet))) refuse('its transfer has other accounts');
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
  if (!burn || !is(account, own) || !are(authority, [wallet])) refuse('it closes an account');
  if (mint.equals(NATIVE_MINT_ADDRESS)) refuse('it closes an account of wrapped SOL');
  if (!isNew && !is(rentTo, wallet))
    refuse('it gives away the rent of an account that it may not have opened');
}

function is(key: PublicKey | undefined, expected: PublicKey): boolean {
  return key?.equals(expected) === true;
}

function are(keys: readonly (PublicKey | undefined)[], expected: readonly PublicKey[]): boolean {
  return keys.length === expected.length && expected.every((key, index) => is(keys[index], key));
}

function view(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function refuse(problem: string): never {
  throw new UntrustedTransactionError(problem);
}
