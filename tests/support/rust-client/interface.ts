// The SDK's addresses, instructions, accounts and records, to compare with the Rust client's.
import {
  associatedTokenAddress,
  buy,
  createToken,
  DEFAULT_DEPLOYMENT,
  graduate,
  migrate,
  migrationTokensAddress,
  migrationWrappedSolAddress,
  poolAddress,
  sell,
  tokenAddresses,
} from '@curvekit/sdk';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { encodeProperties, encodeTokenOwnerData } from '#sdk/generated/accounts.js';
import { encodeGraduateRecord } from '#sdk/generated/graduation/records.js';
import { encodeCreateRecord, encodeMigrateRecord, encodeTradeRecord } from '#sdk/generated/records.js';
import { MINT_RENT } from '#tests/constants.js';

/** Keys that sort both before and after wrapped SOL's mint. */
export function keyOf(byte: number): PublicKey {
  return new PublicKey(new Uint8Array(32).fill(byte));
}

const MINTS = [1, 6, 7, 200, 255].map(keyOf);
const PAYER = keyOf(2);
const TOKENS = keyOf(3);
/** Lamports already at a mint's address: none, some, more than its rent. */
const HELD = [0n, 5n, 2_000_000n];

export function addressCases(): object[] {
  return MINTS.map((mint) => {
    const { curve, vault, metadata, communityWsolStorage, communityTokenStorage } = tokenAddresses(mint);
    const all = {
      curve,
      vault,
      metadata,
      communityWsol: communityWsolStorage,
      communityToken: communityTokenStorage,
      tokens: migrationTokensAddress(mint),
      wrappedSol: migrationWrappedSolAddress(mint),
      pool: poolAddress(mint),
      payersTokens: associatedTokenAddress(PAYER, mint),
    };
    const entries = Object.entries(all).map(([name, { address, bump }]) => [
      name,
      [address.toBase58(), bump],
    ]);
    return { mint: mint.toBase58(), ...(Object.fromEntries(entries) as object) };
  });
}

export function instructionCases(): object[] {
  const terms = {
    payer: PAYER,
    name: 'Curve 🌊',
    symbol: 'CRV',
    mintRentLamports: MINT_RENT,
    uri: 'https://example.org/curve.json',
    afterMigrationFee: 100,
    afterMigrationBurnBp: 5_000,
    afterMigrationHoldersBp: 3_000,
    afterMigrationLpBp: 2_000,
  };
  const u64 = 2n ** 64n - 1n;
  return MINTS.map((mint) => ({
    mint: mint.toBase58(),
    createToken: HELD.map((mintLamports) => written(createToken({ ...terms, mint, mintLamports }))),
    buyToken: written(buy({ mint, payer: PAYER, solToSpend: 1n, minTokenToReceive: u64 })),
    sellToken: written(
      sell({ mint, payer: PAYER, userTokenAccount: TOKENS, tokenToSpend: u64, minSolToReceive: 2n }),
    ),
    migrate: written(migrate({ mint, feeTokenAccount: TOKENS })),
    graduate: written(graduate({ mint, payer: PAYER })),
  }));
}

export function accountCases(): object {
  return {
    tokenOwnerData: hex(
      encodeTokenOwnerData({
        initialized: 2,
        virtualSol: 0x0102030405060708n,
        virtualToken: 0x1112131415161718n,
        afterMigrationFee: 0x2122,
        afterMigrationBurnBp: 0x3132,
      }),
    ),
    properties: hex(
      encodeProperties({
        initialized: 1,
        bump: 254,
        initialVirtualSol: 0x0102030405060708n,
        initialVirtualToken: 0x1112131415161718n,
        platformFeeBps: 0x2122,
      }),
    ),
  };
}

/** Every field has a different value. The Rust test repeats the same fields. */
export function recordCases(): object {
  const [mint, second, third] = [keyOf(1), keyOf(2), keyOf(3)] as const;
  return {
    create: hex(
      encodeCreateRecord({
        mint,
        creator: second,
        tokenOwnerPda: third,
        name: 'Curve 🌊',
        symbol: 'CRV',
        uri: 'https://example.org',
        afterMigrationFee: 4,
        burnBp: 5,
        holdersBp: 6,
        lpBp: 7,
        virtualSol: 8n,
        virtualToken: 9n,
        platformFeeBps: 10,
        timestamp: -11n,
      }),
    ),
    trade: hex(
      encodeTradeRecord({
        mint,
        trader: second,
        isBuy: true,
        solAmount: 3n,
        tokenAmount: 4n,
        fee: 5n,
        virtualSol: 6n,
        virtualToken: 7n,
        finalized: false,
        timestamp: 8n,
      }),
    ),
    migrate: hex(
      encodeMigrateRecord({ mint, feeAccount: second, solAmount: 3n, tokenAmount: 4n, timestamp: 5n }),
    ),
    graduate: hex(
      encodeGraduateRecord({
        mint,
        pool: second,
        poolSol: 3n,
        poolToken: 4n,
        communitySol: 5n,
        communityToken: 6n,
        burnt: 7n,
        costs: 8n,
        lpBurnt: 9n,
        timestamp: 10n,
      }),
    ),
    logAuthority: DEFAULT_DEPLOYMENT.logAuthority.address.toBase58(),
    graduationFeeReceiver: DEFAULT_DEPLOYMENT.graduation.feeReceiver.address.toBase58(),
  };
}

function written(instructions: readonly TransactionInstruction[]): object[] {
  return instructions.map(({ programId, keys, data }) => ({
    program: programId.toBase58(),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), isSigner, isWritable]),
    data: hex(data),
  }));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
