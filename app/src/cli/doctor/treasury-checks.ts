// What the service needs to pay and to settle.
import { sql } from 'drizzle-orm';
import type { Connection, PublicKey } from '@solana/web3.js';
import type { Config } from '../../config.js';
import { rowsOf, type Database } from '../../db/database.js';
import { sol } from '../format.js';
import { failure, ok, warning, type Finding } from './finding.js';

/** Below it, a wallet that pays for transactions is refilled: 0.05 SOL pays for ten thousand signatures. */
const LOW_LAMPORTS = 50_000_000n;

/** The treasury holds what wallets may claim. */
export async function checkTreasury(
  { treasury }: Config,
  connection: Connection,
  { queries }: Database,
): Promise<Finding> {
  const subject = 'treasury';
  if (treasury === undefined) {
    return warning(subject, 'claims are refused', 'set TREASURY_KEYPAIR to pay claims');
  }
  const [row] = await rowsOf<{ owed: string }>(
    queries,
    sql`select coalesce(sum(balance), 0)::text as owed from ledger_accounts
        where asset = 'SOL' and kind in ('claimable', 'reserved')`,
  );
  const owed = BigInt(row?.owed ?? 0);
  const held = await lamportsOf(connection, treasury.publicKey);
  const address = treasury.publicKey.toBase58();
  const detail = `${address} holds ${sol(held)} SOL and owes ${sol(owed)} SOL`;
  const missing = owed + LOW_LAMPORTS - held;
  return missing <= 0n
    ? ok(subject, detail)
    : failure(subject, detail, `send at least ${sol(missing)} SOL to ${address}`);
}

/** The DEX owner can pay for its transactions, and tokens with a liquidity share have somewhere to send it. */
export async function checkSettlement(
  { dexOwner, settlement }: Config,
  connection: Connection,
  { queries }: Database,
): Promise<Finding> {
  const subject = 'settlement';
  if (dexOwner === undefined) {
    return warning(
      subject,
      'the community storages are not settled',
      'set DEX_OWNER_KEYPAIR to the key that the program was built with',
    );
  }
  const [row] = await rowsOf<{ tokens: string }>(
    queries,
    sql`select count(*)::text as tokens from tokens where lp_bps > 0`,
  );
  if (settlement.lpAddress === undefined && row?.tokens !== '0') {
    return failure(
      subject,
      `${row?.tokens} tokens have a liquidity share, and there is no address for it`,
      'set LP_ADDRESS',
    );
  }
  return checkPayer(subject, connection, dexOwner.publicKey);
}

/** The fee receiver can pay for migrations. */
export async function checkFeeReceiver({ feeReceiver }: Config, connection: Connection): Promise<Finding> {
  const subject = 'migration';
  if (feeReceiver === undefined) {
    return warning(
      subject,
      '`curvekit migrate` cannot sign',
      'set FEE_RECEIVER_KEYPAIR where you run it; the service itself does not need it',
    );
  }
  return checkPayer(subject, connection, feeReceiver.publicKey);
}

async function checkPayer(subject: string, connection: Connection, payer: PublicKey): Promise<Finding> {
  const held = await lamportsOf(connection, payer);
  const detail = `${payer.toBase58()} holds ${sol(held)} SOL`;
  return held >= LOW_LAMPORTS
    ? ok(subject, detail)
    : failure(subject, detail, `send it at least ${sol(LOW_LAMPORTS - held)} SOL for network fees and rent`);
}

async function lamportsOf(connection: Connection, address: PublicKey): Promise<bigint> {
  return BigInt(await connection.getBalance(address));
}
