// Checks of the keys and balances for claims and settlements.
import { associatedTokenAddress } from '@curvekit/sdk';
import { unpackAccount } from '@solana/spl-token';
import { PublicKey, type Connection } from '@solana/web3.js';
import type { CommandCluster } from '../session.js';
import { KEPT_FREE, owedByTreasury, readFees } from '../../claims/cover.js';
import { LEAST_MOVED } from '../../graduation/funding/fund-referrals.js';
import { statement, type Database } from '../../db/database.js';
import { owedTokens } from '../../ledger/balances.js';
import { tokensOfRecovered } from '../../reconciliation/recovered.js';
import { grouped, sol, tokens } from '../format.js';
import { failure, ok, warning, type Finding } from './finding.js';

/** Maximum accounts in one RPC request. */
const MOST_ACCOUNTS = 100;

/** The treasury has the SOL that wallets may claim. */
export async function checkTreasury(
  { config: { treasury }, connection }: Pick<CommandCluster, 'config' | 'connection'>,
  { queries }: Database,
): Promise<Finding> {
  const subject = 'treasury';
  if (treasury === undefined) {
    return warning(subject, 'claims are refused', 'set TREASURY_KEYPAIR to pay claims', 'ClaimsOff');
  }
  // As when a claim is stored. Rewards without their fees in the treasury are not owed by it yet.
  const { context, value } = await connection.getBalanceAndContext(treasury.publicKey, 'finalized');
  const owed = await owedByTreasury(queries, context.slot);
  const held = BigInt(value);
  const address = treasury.publicKey.toBase58();
  const detail = `${address} holds ${sol(held)} SOL and owes ${sol(owed)} SOL`;
  const missing = owed + KEPT_FREE - held;
  return missing <= 0n
    ? ok(subject, detail)
    : failure(subject, detail, `send at least ${sol(missing)} SOL to ${address}`, 'TreasuryShort');
}

/** Referral and volume rewards can be claimed once their fees are in the treasury. */
export async function checkReferralFees(
  { config: { treasury, feeReceiver } }: Pick<CommandCluster, 'config'>,
  { queries }: Database,
): Promise<Finding> {
  const subject = 'referral rewards';
  const { unfunded, surplus } = await readFees(queries);
  if (unfunded < LEAST_MOVED || treasury === undefined) return ok(subject, 'their fees are in the treasury');
  const detail = `${sol(unfunded)} SOL of fees are not in the treasury: as much of the rewards cannot be claimed`;
  if (surplus >= unfunded) {
    const fix = `their fees came to the treasury before and were withdrawn or spent: besides what \`treasury\` asks for, send ${sol(unfunded)} SOL to ${treasury.publicKey.toBase58()}, or wait for further fees`;
    return warning(subject, detail, fix, 'ReferralsUnfunded');
  }
  const fix =
    feeReceiver === undefined
      ? `run \`curvekit fees sweep\` where curves graduate by themselves; else send them from the fee receiver to ${treasury.publicKey.toBase58()}, or set FEE_RECEIVER_KEYPAIR`
      : 'check that the service runs and the fee receiver has as much';
  return warning(subject, detail, fix, 'ReferralsUnfunded');
}

/** The treasury has enough of each token that wallets may claim. No finding without a treasury. */
export async function checkTreasuryTokens(
  { config: { treasury }, connection }: Pick<CommandCluster, 'config' | 'connection'>,
  { queries }: Database,
): Promise<Finding[]> {
  if (treasury === undefined) return [];
  const subject = 'treasury tokens';
  const byMint = new Map(await tokensOfRecovered(queries));
  for (const { mint, owed } of await owedTokens(queries)) byMint.set(mint, (byMint.get(mint) ?? 0n) + owed);
  const owed = [...byMint].map(([mint, amount]) => ({ mint, owed: amount }));
  const short: { readonly mint: string; readonly missing: bigint; readonly detail: string }[] = [];
  for (let from = 0; from < owed.length; from += MOST_ACCOUNTS) {
    const part = owed.slice(from, from + MOST_ACCOUNTS);
    const addresses = part.map(
      ({ mint }) => associatedTokenAddress(treasury.publicKey, new PublicKey(mint)).address,
    );
    const accounts = await connection.getMultipleAccountsInfo(addresses);
    for (const [index, { mint, owed: amount }] of part.entries()) {
      const account = accounts[index] ?? null;
      const held = account === null ? 0n : unpackAccount(addresses[index]!, account).amount;
      const missing = amount - held;
      if (missing > 0n)
        short.push({
          mint,
          missing,
          detail: `holds ${tokens(held)} of ${mint} and owes ${tokens(amount)}`,
        });
    }
  }
  const [first] = short;
  if (first === undefined)
    return [ok(subject, `enough of each of the ${grouped(owed.length)} that are owed`)];
  return [
    failure(
      subject,
      `short of ${grouped(short.length)} tokens; ${treasury.publicKey.toBase58()} ${first.detail}`,
      `send at least ${tokens(first.missing)} of ${first.mint} to ${treasury.publicKey.toBase58()}`,
      'TreasuryShort',
    ),
  ];
}

/** The DEX owner can pay for its transactions, and the liquidity share has an address. */
export async function checkSettlement(
  { config: { dexOwner, role, settlement }, connection }: CommandCluster,
  { queries }: Database,
): Promise<Finding> {
  const subject = 'settlement';
  if (role === 'api') return ok(subject, 'not by this process (ROLE=api): the worker has the key');
  if (dexOwner === undefined) {
    return warning(
      subject,
      'the community storages are not settled',
      'set DEX_OWNER_KEYPAIR to the key that the program was built with',
      'SettlementsOff',
    );
  }
  const [row] = await statement<{ tokens: string }>(queries)`
    select count(*)::text as tokens from tokens where lp_bps > 0`;
  if (settlement.lpAddress === undefined && row?.tokens !== '0') {
    return failure(
      subject,
      `${row?.tokens} tokens have a liquidity share, and there is no address for it`,
      'set LP_ADDRESS',
      'LiquidityWithoutAddress',
    );
  }
  return checkPayer(subject, connection, dexOwner.publicKey);
}

/** Minimum balance of a key that pays for transactions: enough for 2,000 signatures or a few token accounts. */
const LEAST_LAMPORTS = 10_000_000n;

/** The key can pay for its transactions. */
export async function checkPayer(
  subject: string,
  connection: Connection,
  payer: PublicKey,
): Promise<Finding> {
  const held = BigInt(await connection.getBalance(payer));
  const detail = `${payer.toBase58()} holds ${sol(held)} SOL`;
  return held >= LEAST_LAMPORTS
    ? ok(subject, detail)
    : failure(
        subject,
        detail,
        `send it at least ${sol(LEAST_LAMPORTS - held)} SOL for network fees and rent`,
        'KeyShortOfSol',
      );
}
