// The program's instructions with any account and argument, valid by default. Unlike the SDK's builders these accept invalid
// values, because the program itself must refuse them.
import { SystemProgram, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import {
  ADMIN_SET_PROPERTIES_ACCOUNTS,
  adminSetProperties,
  adminSetPropertiesInstruction,
  buy,
  BUY_TOKEN_ACCOUNTS,
  buyTokenInstruction,
  CREATE_TOKEN_ACCOUNTS,
  createToken,
  createTokenInstruction,
  decodeAdminSetPropertiesArgs,
  decodeBuyTokenArgs,
  decodeCreateTokenArgs,
  decodeMigrateArgs,
  decodeSellTokenArgs,
  DEFAULT_DEPLOYMENT,
  migrate,
  MIGRATE_ACCOUNTS,
  migrateInstruction,
  MINT_ACCOUNT_SIZE,
  sell,
  SELL_TOKEN_ACCOUNTS,
  sellTokenInstruction,
  TOKEN_PROGRAM_ADDRESS,
  validateLogRecordInstruction,
  type Deployment,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { TERMS } from './tokens.js';
import { MINT_RENT } from '#tests/constants.js';

/** Differences from the valid accounts and arguments. */
interface Changes<Accounts, Args> {
  readonly accounts?: Partial<Accounts>;
  readonly args?: Partial<Args>;
}

/** The empty mint account, owned by the token program, that `createToken` needs. */
export function blankMint(payer: PublicKey, mint: PublicKey): TransactionInstruction {
  return SystemProgram.createAccount({
    fromPubkey: payer,
    newAccountPubkey: mint,
    lamports: Number(MINT_RENT),
    space: MINT_ACCOUNT_SIZE,
    programId: TOKEN_PROGRAM_ADDRESS,
  });
}

/**
 * Changes an instruction of the SDK, the last one of a builder's list.
 *
 * @param build the SDK's function that checks nothing
 */
function changing<Accounts extends object, Args extends object>(
  build: (accounts: Accounts, args: Args) => TransactionInstruction,
  positions: Readonly<Record<keyof Accounts, number>>,
  decode: (data: Uint8Array) => Args,
) {
  return (built: readonly TransactionInstruction[], { accounts, args }: Changes<Accounts, Args> = {}) => {
    const { keys, data } = built.at(-1)!;
    const valid = Object.entries<number>(positions).map(([name, at]) => [name, keys[at]!.pubkey]);
    return build({ ...(Object.fromEntries(valid) as Accounts), ...accounts }, { ...decode(data), ...args });
  };
}

const creation = changing(createTokenInstruction, CREATE_TOKEN_ACCOUNTS, decodeCreateTokenArgs);
const purchase = changing(buyTokenInstruction, BUY_TOKEN_ACCOUNTS, decodeBuyTokenArgs);
const sale = changing(sellTokenInstruction, SELL_TOKEN_ACCOUNTS, decodeSellTokenArgs);
const migration = changing(migrateInstruction, MIGRATE_ACCOUNTS, decodeMigrateArgs);
const settings = changing(
  adminSetPropertiesInstruction,
  ADMIN_SET_PROPERTIES_ACCOUNTS,
  decodeAdminSetPropertiesArgs,
);

/** The builders for one build of the program. */
export function rawInstructions(deployment: Deployment) {
  return {
    rawCreateToken: (mint: PublicKey, payer: PublicKey, changes?: Parameters<typeof creation>[1]) =>
      creation(createToken({ ...TERMS, mintRentLamports: MINT_RENT, mint, payer, deployment }), changes),
    /** Spends 0.1 SOL at any price by default. */
    rawBuyToken: (mint: PublicKey, payer: PublicKey, changes?: Parameters<typeof purchase>[1]) =>
      purchase(buy({ mint, payer, solToSpend: 100_000_000n, minTokenToReceive: 0n, deployment }), changes),
    /** Sells one token at any price by default. */
    rawSellToken: (mint: PublicKey, payer: PublicKey, changes?: Parameters<typeof sale>[1]) =>
      sale(sell({ mint, payer, tokenToSpend: 1_000_000n, minSolToReceive: 0n, deployment }), changes),
    rawMigrate: (mint: PublicKey, changes?: Parameters<typeof migration>[1]) =>
      migration(migrate({ mint, deployment }), changes),
    /** Sets the default properties by default. */
    rawAdminSetProperties: (changes?: Parameters<typeof settings>[1]) =>
      settings(adminSetProperties({ ...DEFAULT_PROPERTIES, deployment }), changes),
  };
}

/** The builders for the default deployment. */
export const { rawCreateToken, rawBuyToken, rawSellToken, rawMigrate, rawAdminSetProperties } =
  rawInstructions(DEFAULT_DEPLOYMENT);

export function rawValidateLogRecord(): TransactionInstruction {
  const { address, bump } = DEFAULT_DEPLOYMENT.logAuthority;
  return validateLogRecordInstruction({ loggingAuthority: address }, { loggingAccountBump: bump });
}
