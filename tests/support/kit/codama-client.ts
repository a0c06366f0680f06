// A client of an IDL as Codama generates it, over @solana/kit.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rootNodeFromAnchor, type AnchorIdl } from '@codama/nodes-from-anchor';
import { renderVisitor } from '@codama/renderers-js';
import { visit } from '@codama/visitors-core';
import type { Address, Instruction, TransactionSigner } from '@solana/kit';
import { build } from 'esbuild';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

type Found = readonly [address: Address, bump: number];

/** What the test uses of the generated module; the accounts that are left out are found from the seeds. */
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
  const folder = await mkdtemp(join(tmpdir(), 'curvekit-codama-'));
  try {
    await symlink(MODULES, join(folder, 'node_modules'));
    await visit(rootNodeFromAnchor(idl as AnchorIdl), renderVisitor(folder, { formatCode: false }));
    const outfile = join(folder, 'client.mjs');
    await build({
      entryPoints: [join(folder, 'src', 'generated', 'index.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'silent',
    });
    return (await import(pathToFileURL(outfile).href)) as CodamaClient;
  } finally {
    await rm(folder, { recursive: true });
  }
}
