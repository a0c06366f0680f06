// Finds the key that can replace a program.
import { PublicKey, type Connection } from '@solana/web3.js';
import { UPGRADEABLE_LOADER as LOADER_ADDRESS } from '../../chain/node-ledger.js';

export const UPGRADEABLE_LOADER = new PublicKey(LOADER_ADDRESS);
/** Size of a program's account: a tag, and the address of its data account. */
const PROGRAM_BYTES = 36;
/** Layout of the data account: a tag, the slot of the deployment, and an optional key. */
const AUTHORITY_OFFSET = 12;
const HEADER_BYTES = 45;

/** The upgrade authority; null when the program is final, undefined when the program does not exist. */
export async function upgradeAuthority(
  connection: Connection,
  programId: PublicKey,
): Promise<PublicKey | null | undefined> {
  const program = await connection.getAccountInfo(programId);
  if (program?.executable !== true) return undefined;
  if (!program.owner.equals(UPGRADEABLE_LOADER) || program.data.length < PROGRAM_BYTES) return null;
  const data = await connection.getAccountInfo(new PublicKey(program.data.subarray(4, PROGRAM_BYTES)), {
    dataSlice: { offset: 0, length: HEADER_BYTES },
  });
  const header = data?.data;
  if (header === undefined || header.length < HEADER_BYTES || header[AUTHORITY_OFFSET] !== 1) return null;
  return new PublicKey(header.subarray(AUTHORITY_OFFSET + 1));
}
