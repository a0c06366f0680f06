import type { Command } from 'commander';
import { createHash } from 'node:crypto';
import {
  PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  TransactionInstruction,
  type Connection,
} from '@solana/web3.js';
import { CommandError, work, type Registration, type Invocation, type Result } from '../command.js';
import { address } from '../values.js';
import { connectCluster } from '../session.js';
import { UPGRADEABLE_LOADER, upgradeAuthority } from '../doctor/addresses.js';
import { proposal } from '../admin.js';

export function register(command: Command, registration: Registration): void {
  command
    .requiredOption('--buffer <address>', 'what `solana program write-buffer` has made', address)
    .option('--program <address>', 'the program; PROGRAM_ID when left out', address);
  work(command, registration, runUpgrade);
}

interface Options {
  /** Address. */
  readonly buffer: string;
  /** Address. */
  readonly program?: string;
}

/** Layout of a buffer's account: a tag, and an optional key. The binary follows. */
const BUFFER = { tag: 1, authority: 4, binary: 37 } as const;
const UPGRADE = 3;

async function runUpgrade({ options, terminal }: Invocation<Options>): Promise<Result> {
  const cluster = await connectCluster(terminal);
  const program =
    options.program === undefined ? cluster.deployment.programId : new PublicKey(options.program);
  const authority = await upgradeAuthority(cluster.connection, program);
  if (authority === undefined)
    throw new CommandError(`there is no program at ${program.toBase58()}; give --program, or set PROGRAM_ID`);
  if (authority === null) throw new CommandError(`${program.toBase58()} is final: nobody can upgrade it`);
  const buffer = new PublicKey(options.buffer);
  const binary = await binaryIn(cluster.connection, buffer, authority);
  const sha256 = createHash('sha256').update(binary).digest('hex');
  const named = { program: program.toBase58(), buffer: buffer.toBase58() };
  return proposal(cluster, authority, [upgrade({ program, buffer, authority })], {
    document: { ...named, bytes: binary.length, sha256 },
    lines: [...Object.entries(named), ['bytes', String(binary.length)], ['SHA-256', sha256]],
  });
}

/** The binary that a buffer holds. @throws CommandError when the authority could not upgrade with it */
async function binaryIn(
  connection: Connection,
  buffer: PublicKey,
  authority: PublicKey,
): Promise<Uint8Array> {
  const name = buffer.toBase58();
  const account = await connection.getAccountInfo(buffer);
  if (account?.owner.equals(UPGRADEABLE_LOADER) !== true || account.data.readUInt32LE() !== BUFFER.tag)
    throw new CommandError(`${name} is no buffer; make one with \`solana program write-buffer FILE\``);
  const { data } = account;
  const owner = data[BUFFER.authority] === 1 ? new PublicKey(data.subarray(5, BUFFER.binary)) : undefined;
  if (owner?.equals(authority) !== true)
    throw new CommandError(
      `the buffer's authority is ${owner?.toBase58() ?? 'nobody'}, and the program's is ${authority.toBase58()}; run \`solana program set-buffer-authority ${name} --new-buffer-authority ${authority.toBase58()}\``,
    );
  return data.subarray(BUFFER.binary);
}

/** The loader returns what the buffer cost to the authority. */
function upgrade({
  program,
  buffer,
  authority,
}: Record<'program' | 'buffer' | 'authority', PublicKey>): TransactionInstruction {
  const [programData] = PublicKey.findProgramAddressSync([program.toBuffer()], UPGRADEABLE_LOADER);
  const writable = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true });
  const readable = (pubkey: PublicKey, isSigner = false) => ({ pubkey, isSigner, isWritable: false });
  return new TransactionInstruction({
    programId: UPGRADEABLE_LOADER,
    keys: [
      ...[programData, program, buffer, authority].map(writable),
      readable(SYSVAR_RENT_PUBKEY),
      readable(SYSVAR_CLOCK_PUBKEY),
      readable(authority, true),
    ],
    data: Buffer.from(Uint32Array.of(UPGRADE).buffer),
  });
}
