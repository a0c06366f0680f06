import type { Connection, PublicKey } from '@solana/web3.js';
import { sol } from '../format.js';
import { failure, ok, type Finding } from './finding.js';

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
