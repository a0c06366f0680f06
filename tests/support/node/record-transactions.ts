// Builds transactions as RPC nodes return them, with given records.
import bs58 from 'bs58';
import {
  DEFAULT_DEPLOYMENT,
  encodeCreateRecord,
  encodeMigrateRecord,
  encodeTradeRecord,
  MIGRATE_DISCRIMINATOR,
  VALIDATE_LOG_RECORD_DISCRIMINATOR,
  type ConfirmedTransaction,
  type RecordContent,
} from '@curvekit/sdk';

export type JsonTransaction = ConfirmedTransaction;

const PAYER_INDEX = 0;
const LOG_AUTHORITY_INDEX = 1;
const PROGRAM_INDEX = 2;
const PROGRAM = DEFAULT_DEPLOYMENT.programId.toBase58();
const LOG_AUTHORITY = DEFAULT_DEPLOYMENT.logAuthority.address.toBase58();
const PAYER = DEFAULT_DEPLOYMENT.admin.toBase58();
/** Data of no known instruction: for a decoder it represents an outer trade or creation. */
const ANY_DATA = bs58.encode(new Uint8Array(8));
const MIGRATE_DATA = bs58.encode(Uint8Array.from([...MIGRATE_DISCRIMINATOR, 0]));
const CALL_HEAD = Uint8Array.from([
  ...VALIDATE_LOG_RECORD_DISCRIMINATOR,
  DEFAULT_DEPLOYMENT.logAuthority.bump,
]);

/** A record of the bonding curve program itself. */
export type CurveContent = Exclude<RecordContent, { kind: 'graduate' }>;

/** A successful transaction with one instruction per record. */
export function transactionOf(
  signature: string,
  slot: number,
  records: readonly CurveContent[],
): JsonTransaction {
  return {
    slot,
    transaction: {
      signatures: [signature],
      message: {
        accountKeys: [PAYER, LOG_AUTHORITY, PROGRAM],
        instructions: (records.length === 0 ? [undefined] : records).map((record) => ({
          programIdIndex: PROGRAM_INDEX,
          accounts: [PAYER_INDEX],
          data: record?.kind === 'migrate' ? MIGRATE_DATA : ANY_DATA,
        })),
      },
    },
    meta: {
      err: null,
      innerInstructions: records.flatMap((record, index) =>
        record.kind === 'migrate'
          ? []
          : {
              index,
              instructions: [
                { programIdIndex: PROGRAM_INDEX, accounts: [LOG_AUTHORITY_INDEX], data: callOf(record) },
              ],
            },
      ),
      logMessages: records.flatMap(logsOf),
    },
  };
}

function callOf(record: Exclude<CurveContent, { kind: 'migrate' }>): string {
  const bytes = record.kind === 'create' ? encodeCreateRecord(record.data) : encodeTradeRecord(record.data);
  const call = new Uint8Array(CALL_HEAD.length + bytes.length);
  call.set(CALL_HEAD);
  call.set(bytes, CALL_HEAD.length);
  return bs58.encode(call);
}

function logsOf(record: CurveContent): string[] {
  if (record.kind !== 'migrate')
    return [
      `Program ${PROGRAM} invoke [1]`,
      `Program ${PROGRAM} invoke [2]`,
      `Program ${PROGRAM} success`,
      `Program ${PROGRAM} success`,
    ];
  const data = Buffer.from(encodeMigrateRecord(record.data)).toString('base64');
  return [`Program ${PROGRAM} invoke [1]`, `Program data: ${data}`, `Program ${PROGRAM} success`];
}
