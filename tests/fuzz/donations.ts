// Donations: transfers outside any trade.
import { SYSTEM_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '@curvekit/sdk';
import { keyOf, type Call, type Key } from '../differential/call.js';

const SYSTEM_PROGRAM = keyOf(SYSTEM_PROGRAM_ADDRESS);
const TOKEN_PROGRAM = keyOf(TOKEN_PROGRAM_ADDRESS);
const SYSTEM_TRANSFER = 2;
const TOKEN_TRANSFER = 3;

export function lamportDonation(from: Key, to: Key, lamports: bigint): Call {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(SYSTEM_TRANSFER, 0);
  data.writeBigUInt64LE(lamports, 4);
  return {
    program: SYSTEM_PROGRAM,
    metas: [
      { key: from, isSigner: true, isWritable: true },
      { key: to, isSigner: false, isWritable: true },
    ],
    data,
  };
}

/** @param amount in token units */
export function tokenDonation(from: Key, to: Key, owner: Key, amount: bigint): Call {
  const data = Buffer.alloc(9);
  data.writeUInt8(TOKEN_TRANSFER, 0);
  data.writeBigUInt64LE(amount, 1);
  return {
    program: TOKEN_PROGRAM,
    metas: [
      { key: from, isSigner: false, isWritable: true },
      { key: to, isSigner: false, isWritable: true },
      { key: owner, isSigner: true, isWritable: false },
    ],
    data,
  };
}
