// Valid parameters of the builders. Tests change them.
import { Keypair, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, tokenAddresses } from '../src/accounts/addresses.js';
import { DEFAULT_DEPLOYMENT } from '../src/accounts/deployment.js';
import { IDL } from '../src/idl.js';

export const mint = Keypair.generate().publicKey;
export const payer = Keypair.generate().publicKey;
export const { curve, vault, metadata, communityWsolStorage, communityTokenStorage } = tokenAddresses(mint);
export const userTokenAccount = associatedTokenAddress(payer, mint).address;
export const { feeReceiver, properties, logAuthority, programId, dexOwner, admin } = DEFAULT_DEPLOYMENT;

export const METADATA = { name: 'Curve', symbol: 'CRV', uri: 'https://example.org/curve.json' };
export const SHARES = {
  afterMigrationFee: 100,
  afterMigrationBurnBp: 5_000,
  afterMigrationHoldersBp: 3_000,
  afterMigrationLpBp: 2_000,
};
export const MINT_RENT = 1_461_600n;
export const TERMS = { mint, payer, mintRentLamports: MINT_RENT, ...METADATA, ...SHARES };
export const BUY = { mint, payer, solToSpend: 10n, minTokenToReceive: 0n };
export const SELL = { mint, payer, tokenToSpend: 10n, minSolToReceive: 0n };

/** Account keys of an instruction by their IDL names. Checks addresses that the IDL fixes. */
export function named(name: string, instruction: TransactionInstruction): Record<string, string> {
  const accounts = IDL.instructions.find((item) => item.name === name)!.accounts;
  expect(instruction.keys).to.have.lengthOf(accounts.length);
  const entries = accounts.map((account, index) => {
    const key = instruction.keys[index]!.pubkey.toBase58();
    if ('address' in account) expect(key, account.name).to.equal(account.address);
    return [account.name, key] as const;
  });
  return Object.fromEntries(entries);
}

export function only(instructions: TransactionInstruction[]): TransactionInstruction {
  expect(instructions).to.have.lengthOf(1);
  return instructions[0]!;
}
