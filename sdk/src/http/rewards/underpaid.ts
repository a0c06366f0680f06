// A claim must give what the API said is unclaimed, or the API must say that the rest is still unclaimed.
import { ComputeBudgetProgram, type VersionedMessage } from '@solana/web3.js';
import { UntrustedTransactionError } from '../claim-check.js';

/** The transaction gives less than the API said is unclaimed. Do not sign it. */
export class UnderpaidClaimError extends UntrustedTransactionError {
  constructor(
    /** Lamports or token units that the transaction gives. */
    readonly amount: bigint,
    /** What the API said is unclaimed, before the claim. */
    readonly unclaimed: bigint,
    /** What the API says is unclaimed still. */
    readonly remaining: bigint,
    unit: 'lamports' | 'token units',
  ) {
    super(
      `it gives ${amount} ${unit} where the service said that ${unclaimed} are unclaimed, and the service says that ${remaining} remain; ask for the rewards again, and ask the operator where the rest is`,
    );
    this.name = 'UnderpaidClaimError';
  }
}

const LAMPORTS_PER_SIGNATURE = 5_000n;
/** Most that the service may take from a claim of SOL as the fee of its transaction. */
const MOST_NETWORK_FEE = 100_000n;
const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;
const MOST_UNITS = 1_400_000n;
const MICRO_LAMPORTS = 1_000_000n;

/** Lamports that a claim of SOL may give less for its network fee. */
export function networkFeeOf({
  header,
  staticAccountKeys: keys,
  compiledInstructions,
}: VersionedMessage): bigint {
  let units = MOST_UNITS;
  let price = 0n;
  for (const { programIdIndex, data } of compiledInstructions) {
    if (keys[programIdIndex]?.equals(ComputeBudgetProgram.programId) !== true) continue;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (data[0] === SET_UNIT_LIMIT && data.length === 5) units = BigInt(view.getUint32(1, true));
    if (data[0] === SET_UNIT_PRICE && data.length === 9) price = view.getBigUint64(1, true);
  }
  const priority = (units * price + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  const fee = BigInt(header.numRequiredSignatures) * LAMPORTS_PER_SIGNATURE + priority;
  return fee < MOST_NETWORK_FEE ? fee : MOST_NETWORK_FEE;
}
