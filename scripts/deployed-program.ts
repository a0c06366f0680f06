// What a cluster runs at a program's address: the binary, and who may replace it.
import { type Connection, PublicKey } from '@solana/web3.js';
import { CommandError } from './command-line.js';

export interface DeployedProgram {
  /** The binary as it was deployed. An upgradeable program may have zeros behind it, kept free for a longer one. */
  readonly binary: Uint8Array;
  /** Who may replace it; null when nobody can. */
  readonly upgradeAuthority: PublicKey | null;
}

/** An address that is no program, or a program whose binary cannot be read. */
export class NoProgramError extends CommandError {
  override readonly name = 'NoProgramError';
}

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const FINAL_LOADERS = [
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
];

/** The upgradeable loader's accounts: a kind, and in a program's account the address of the one with its binary. */
const PROGRAM_KIND = 2;
const PROGRAM_DATA_ADDRESS_OFFSET = 4;
/** In that one: kind (4 bytes), slot (8), whether there is an authority (1), the authority (32), the binary. */
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

/** Whether a deployed binary is that file: its bytes, then nothing but zeros. */
export function isSameBinary(deployed: Uint8Array, file: Uint8Array): boolean {
  return (
    deployed.length >= file.length &&
    Buffer.compare(deployed.subarray(0, file.length), file) === 0 &&
    deployed.subarray(file.length).every((byte) => byte === 0)
  );
}
