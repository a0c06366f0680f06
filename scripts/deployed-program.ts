// Reads a deployed program: its binary and its upgrade authority.
import { type Connection, PublicKey } from '@solana/web3.js';
import { CommandError } from './command-line.js';

export interface DeployedProgram {
  /** The deployed binary. The account of an upgradeable program can have zeros after it, as room for a longer one. */
  readonly binary: Uint8Array;
  /** The upgrade authority. Null for an immutable program. */
  readonly upgradeAuthority: PublicKey | null;
}

/** There is no program at the address, or its binary cannot be read. */
export class NoProgramError extends CommandError {
  override readonly name = 'NoProgramError';
}

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const FINAL_LOADERS = [
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
];

/** Layout of an upgradeable program's account: kind, then the address of its program data account. */
const PROGRAM_KIND = 2;
const PROGRAM_DATA_ADDRESS_OFFSET = 4;
/** Layout of the program data account: kind (4 bytes), slot (8), has authority (1), authority (32), binary. */
const HAS_AUTHORITY_OFFSET = 12;
const AUTHORITY_OFFSET = 13;
const BINARY_OFFSET = 45;

/** Reads a program from a cluster. @throws NoProgramError */
export async function readDeployedProgram(
  connection: Connection,
  address: PublicKey,
): Promise<DeployedProgram> {
  const account = await connection.getAccountInfo(address);
  if (account === null) throw new NoProgramError(`there is nothing at ${address.toBase58()}`);
  if (!account.executable)
    throw new NoProgramError(`${address.toBase58()} is not executable: it is no program`);
  const loader = account.owner.toBase58();
  if (FINAL_LOADERS.includes(loader)) return { binary: account.data, upgradeAuthority: null };
  if (loader !== UPGRADEABLE_LOADER || account.data.readUInt32LE(0) !== PROGRAM_KIND) {
    throw new NoProgramError(
      `${address.toBase58()} belongs to ${loader}, a loader whose programs are not known here`,
    );
  }
  const dataAddress = new PublicKey(account.data.subarray(PROGRAM_DATA_ADDRESS_OFFSET));
  const programData = await connection.getAccountInfo(dataAddress);
  if (programData === null || programData.data.length <= BINARY_OFFSET) {
    throw new NoProgramError(
      `${address.toBase58()} is closed: its binary at ${dataAddress.toBase58()} is gone`,
    );
  }
  const { data } = programData;
  return {
    binary: data.subarray(BINARY_OFFSET),
    upgradeAuthority:
      data[HAS_AUTHORITY_OFFSET] === 1 ? new PublicKey(data.subarray(AUTHORITY_OFFSET, BINARY_OFFSET)) : null,
  };
}

/** Whether a deployed binary equals the file, apart from zeros after it. */
export function isSameBinary(deployed: Uint8Array, file: Uint8Array): boolean {
  return (
    deployed.length >= file.length &&
    Buffer.compare(deployed.subarray(0, file.length), file) === 0 &&
    deployed.subarray(file.length).every((byte) => byte === 0)
  );
}
