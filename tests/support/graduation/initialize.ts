// The addresses of a graduation, and pools that any wallet opens at the AMM without the graduation program.
import { SystemProgram, PublicKey, TransactionInstruction, type AccountMeta } from '@solana/web3.js';
import {
  AMM,
  ATA_PROGRAM_ADDRESS,
  type GRADUATE_ACCOUNTS,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  type PoolAddresses,
} from '@curvekit/sdk';

/** The addresses that `graduate` creates, and to which anyone can have sent lamports before. */
export const OPENED = [
  'poolCreator',
  'tokens',
  'wrappedSol',
  'pool',
  'lpMint',
  'lpTokens',
  'poolVault0',
  'poolVault1',
  'observation',
] as const satisfies readonly (keyof typeof GRADUATE_ACCOUNTS)[];

const INITIALIZE = [175, 175, 109, 31, 13, 152, 155, 237];

/** The mint and wrapped SOL, as a pool has them. */
export function mintsInOrder(mint: PublicKey): readonly [PublicKey, PublicKey] {
  const isFirst = Buffer.compare(mint.toBuffer(), NATIVE_MINT_ADDRESS.toBuffer()) < 0;
  return isFirst ? [mint, NATIVE_MINT_ADDRESS] : [NATIVE_MINT_ADDRESS, mint];
}

/** The address at which any wallet can create a pool of a token and wrapped SOL. */
export function canonicalPool(mint: PublicKey): PublicKey {
  const { config } = AMM.addresses(mint, mint);
  const seeds = [Buffer.from('pool'), config.toBuffer(), ...mintsInOrder(mint).map((key) => key.toBuffer())];
  return PublicKey.findProgramAddressSync(seeds, AMM.programId)[0];
}

export interface Initialize {
  readonly creator: PublicKey;
  readonly from: (mint: PublicKey) => PublicKey;
  readonly amounts: readonly [bigint, bigint];
  readonly openTime?: bigint;
  /** Whether the pool's address signs, as one must that is not canonical. */
  readonly poolSigns?: boolean;
  readonly mints?: readonly [PublicKey, PublicKey];
}

export function initialize(
  addresses: PoolAddresses,
  {
    creator,
    from,
    amounts,
    openTime = 0n,
    poolSigns = false,
    mints = mintsInOrder(addresses.mint),
  }: Initialize,
): TransactionInstruction {
  const accounts = AMM.openingAccounts(addresses, creator);
  const meta = (pubkey: PublicKey, isWritable = false, isSigner = false): AccountMeta => ({
    pubkey,
    isWritable,
    isSigner,
  });
  const vaultOf = (mint: PublicKey) => addresses.vaults[mint.equals(NATIVE_MINT_ADDRESS) ? 'sol' : 'token'];
  const data = Buffer.alloc(32);
  data.set(INITIALIZE);
  [...amounts, openTime].forEach((value, at) => data.writeBigUInt64LE(value, 8 + 8 * at));
  return new TransactionInstruction({
    programId: AMM.programId,
    keys: [
      meta(creator, true, true),
      meta(accounts.ammConfig),
      meta(accounts.ammAuthority),
      meta(addresses.pool, true, poolSigns),
      ...mints.map((mint) => meta(mint)),
      meta(accounts.lpMint, true),
      ...mints.map((mint) => meta(from(mint), true)),
      meta(accounts.lpTokens, true),
      ...mints.map((mint) => meta(vaultOf(mint), true)),
      meta(accounts.poolFeeReceiver, true),
      meta(accounts.observation, true),
      ...[TOKEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS].map((key) => meta(key)),
      meta(ATA_PROGRAM_ADDRESS),
      meta(SystemProgram.programId),
      meta(RENT_SYSVAR_ADDRESS),
    ],
    data,
  });
}
