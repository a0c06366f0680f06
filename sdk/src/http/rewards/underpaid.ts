// A claim must give the unclaimed amount that the API reported, or the API must report the rest as still unclaimed.
import { COMPUTE_BUDGET } from '../../checks/programs.js';
import { LAMPORTS_PER_SIGNATURE } from '../../transactions/signature-fee.js';
import { UntrustedTransactionError } from '../claim-check.js';
import type { WireMessage } from '../wire-transaction.js';

/** The transaction gives less than the unclaimed amount that the API reported. Do not sign it. */
export class UnderpaidClaimError extends UntrustedTransactionError {
  static override readonly '@curvekit/sdk/class': string = 'UnderpaidClaimError';
  constructor(
    /** Lamports or token units that the transaction gives. */
    readonly amount: bigint,
    /** The unclaimed amount that the API reported before the claim. */
    readonly unclaimed: bigint,
    /** The unclaimed amount that the API reports now. */
    readonly remaining: bigint,
    unit: 'lamports' | 'token units',
  ) {
    super(
      `it gives ${amount} ${unit} where the service said that ${unclaimed} are unclaimed, and the service says that ${remaining} remain; ask for the rewards again, and ask the operator where the rest is`,
    );
  }
}

/** The highest transaction fee that the service may deduct from a claim of SOL. */
const MOST_NETWORK_FEE = 100_000n;
const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;
const MOST_UNITS = 1_400_000n;
const MICRO_LAMPORTS = 1_000_000n;

/** Lamports that the service may deduct from a claim of SOL for its network fee. */
export function networkFeeOf({ requiredSignatures, instructions }: WireMessage): bigint {
  let units = MOST_UNITS;
  let price = 0n;
  for (const { program, data } of instructions) {
    if (program !== COMPUTE_BUDGET) continue;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (data[0] === SET_UNIT_LIMIT && data.length === 5) units = BigInt(view.getUint32(1, true));
    if (data[0] === SET_UNIT_PRICE && data.length === 9) price = view.getBigUint64(1, true);
  }
  const priority = (units * price + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  const fee = BigInt(requiredSignatures) * LAMPORTS_PER_SIGNATURE + priority;
  return fee < MOST_NETWORK_FEE ? fee : MOST_NETWORK_FEE;
}
