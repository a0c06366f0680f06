// Compares a simulated transaction with the order, before the wallet signs. The service of a launchpad names the program
// that the transaction calls. With the wallet's signature, that program can move all that the transaction's accounts hold.
import { PublicKey } from '../chain/keys.js';
import type { AccountInfo, SimulatedTransactionAccountInfo } from '../chain/types.js';
import { tokensIn } from '../curve/limits.js';
import { decodeBase64 } from '../encoding/base64.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../generated/program.js';
import { RpcError } from '../rpc/rpc-error.js';
import { ExcessiveLossError } from './errors.js';

type Account = AccountInfo<Uint8Array> | null;

/** The most that a transaction may take from a wallet. */
export interface Allowance {
  readonly wallet: PublicKey;
  /** Lamports of the wallet before the transaction. */
  readonly lamports: bigint;
  /** The most lamports that it may take besides the network fee. Below 0: it must pay the wallet at least as much. */
  readonly sol: bigint;
  /** The program that the transaction calls, for the error. */
  readonly programId: PublicKey;
  /** The wallet's token account in the transaction. Undefined when it has none. */
  readonly tokens: TokenAllowance | undefined;
}

interface TokenAllowance {
  readonly mint: PublicKey;
  readonly address: PublicKey;
  /** The account before the transaction. */
  readonly account: Account;
  /** The most token units that it may take. */
  readonly units: bigint;
  readonly mayClose: boolean;
}

/** The part of a simulation's result that is compared. Agave's nodes report the balances, Surfpool does not. */
export interface SimulatedAccounts {
  readonly accounts?: readonly (SimulatedTransactionAccountInfo | null)[] | null;
  readonly preBalances?: readonly number[] | null;
}

/** The addresses whose simulated accounts {@link requireAllowed} compares. */
export function guarded({ wallet, tokens }: Allowance): string[] {
  return [wallet, ...(tokens === undefined ? [] : [tokens.address])].map((key) => key.toBase58());
}

/**
 * @param fees lamports of the network fee in the simulation
 * @throws ExcessiveLossError; RpcError when the node does not return the simulated accounts
 */
export function requireAllowed(allowance: Allowance, simulated: SimulatedAccounts, fees: bigint): void {
  const { wallet, programId, tokens, ...before } = allowance;
  const { accounts, preBalances } = simulated;
  if (accounts?.length !== guarded(allowance).length)
    throw new RpcError('simulateTransaction', {
      problem: 'its answer has no accounts, so it does not show what the transaction takes from the wallet',
      advice: 'use another node',
      isTemporary: false,
    });
  const [own = null, held = null] = accounts.map(accountOf);
  const refused = (asset: ExcessiveLossError['asset'], takes: bigint, allowed: bigint) =>
    new ExcessiveLossError({ wallet, programId, asset, takes, allowed });
  // The wallet pays the network fee, so it is the first account.
  const lamports = BigInt(preBalances?.[0] ?? before.lamports);
  const [takes, allowed] = [lamports - BigInt(own?.lamports ?? 0), before.sol + fees];
  if (takes > allowed) throw refused('SOL', takes, allowed);
  if (own !== null && (own.data.length > 0 || !own.owner.equals(SYSTEM_PROGRAM_ADDRESS)))
    throw refused('control of the wallet', 0n, 0n);
  if (tokens === undefined) return;
  const units = (tokensIn(tokens.account) ?? 0n) - (tokensIn(held) ?? 0n);
  if (units > tokens.units) throw refused('tokens', units, tokens.units);
  if (!keepsControl(tokens, wallet, held)) throw refused('control of its token account', 0n, 0n);
}

/** A token account's fields: mint, owner, amount, delegate, state, ... */
const [SIZE, OWNER, AMOUNT, AFTER_AMOUNT, STATE] = [165, 32, 64, 72, 108];

/** Whether all but the amount is as before: owner, delegate, close authority. */
function keepsControl(
  { mint, account, mayClose }: TokenAllowance,
  wallet: PublicKey,
  held: Account,
): boolean {
  const isNew = tokensIn(account) === undefined;
  if (tokensIn(held) === undefined) return isNew || mayClose;
  const expected = isNew ? newTokenAccount(mint, wallet) : account!.data;
  return held!.data.every((byte, at) => (at >= AMOUNT && at < AFTER_AMOUNT) || byte === expected[at]);
}

function newTokenAccount(mint: PublicKey, owner: PublicKey): Uint8Array {
  const data = new Uint8Array(SIZE);
  data.set(mint.toBytes(), 0);
  data.set(owner.toBytes(), OWNER);
  data[STATE] = 1;
  return data;
}

export function accountOf(simulated: SimulatedTransactionAccountInfo | null): Account {
  if (simulated === null) return null;
  const { owner, data, ...account } = simulated;
  return { ...account, owner: new PublicKey(owner), data: decodeBase64(data[0] ?? '') };
}
