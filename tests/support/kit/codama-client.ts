// A client that Codama generates from an IDL, for @solana/kit.
import { join } from 'node:path';
import { rootNodeFromAnchor, type AnchorIdl } from '@codama/nodes-from-anchor';
import { renderVisitor } from '@codama/renderers-js';
import { visit } from '@codama/visitors-core';
import type { Address, Instruction, TransactionSigner } from '@solana/kit';
import { importBundled } from './bundled.js';

type Found = readonly [address: Address, bump: number];

/**
 * The functions of the generated module that the tests use. The client derives the omitted accounts from their seeds.
 */
export interface CodamaClient {
  findTokenOwnerPdaPda(seeds: { tokenMint: Address }): Promise<Found>;
  getCreateTokenInstructionAsync(input: {
    payerAccount: TransactionSigner;
    tokenMint: Address;
    pdaTokenNonce: number;
    uri: string;
    name: string;
    symbol: string;
    afterMigrationFee: number;
    afterMigrationBurnBp: number;
    afterMigrationHoldersBp: number;
    afterMigrationLpBp: number;
    loggingAccountBump: number;
  }): Promise<Instruction>;
  getBuyTokenInstructionAsync(input: {
    payerAccount: TransactionSigner;
    tokenMint: Address;
    pdaTokenNonce: number;
    solToSpend: bigint;
    minTokenToReceive: bigint;
    loggingAccountBump: number;
  }): Promise<Instruction>;
  getSellTokenInstructionAsync(input: {
    payerAccount: TransactionSigner;
    tokenMint: Address;
    pdaTokenNonce: number;
    tokenToSpend: bigint;
    minSolToReceive: bigint;
    loggingAccountBump: number;
  }): Promise<Instruction>;
}

/** Generates a client into a temporary folder, and loads it. */
export async function codamaClient(idl: unknown): Promise<CodamaClient> {
  const render = async (folder: string) => {
    await visit(rootNodeFromAnchor(idl as AnchorIdl), renderVisitor(folder, { formatCode: false }));
    return join(folder, 'src', 'generated', 'index.ts');
  };
  return (await importBundled(render)) as CodamaClient;
}
