// Clients built from the IDL alone. Each launches and trades a token, and derives every address from the IDL's seeds.
import { readFileSync } from 'node:fs';
import * as currentAnchor from '@anchor-lang/core';
import * as oldAnchor from '@coral-xyz/anchor';
import { createAssociatedTokenAccountIdempotentInstruction, getAccount } from '@solana/spl-token';
import { Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { address, type Address, type TransactionSigner, type Instruction } from '@solana/kit';
import BN from 'bn.js';
import { expect } from 'chai';
import { associatedTokenAddress, createMintAccount, fetchTokenOwnerData } from '@curvekit/sdk';
import { GRADUATION_IDL, IDL, type BondingCurve } from '@curvekit/sdk/idl';
import { kitInstruction, signerOf } from '#tests/kit/convert.js';
import { sendWithKit } from '#tests/kit/send.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { MINT_RENT, SOL } from '#tests/constants.js';
import { tokensOf } from '#tests/program/tokens.js';
import { join } from 'node:path';
import { rootNodeFromAnchor, type AnchorIdl } from '@codama/nodes-from-anchor';
import { renderVisitor } from '@codama/renderers-js';
import { visit } from '@codama/visitors-core';
import { importBundled } from '#tests/kit/bundled.js';

// A client that Codama generates from an IDL, for @solana/kit.

type Found = readonly [address: Address, bump: number];

/**
 * The functions of the generated module that the tests use. The client derives the omitted accounts from their seeds.
 */
interface CodamaClient {
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
async function codamaClient(idl: unknown): Promise<CodamaClient> {
  const render = async (folder: string) => {
    await visit(rootNodeFromAnchor(idl as AnchorIdl), renderVisitor(folder, { formatCode: false }));
    return join(folder, 'src', 'generated', 'index.ts');
  };
  return (await importBundled(render)) as CodamaClient;
}

const NAME = { name: 'Foreign', symbol: 'FRGN', uri: 'https://example.org/foreign.json' };
const SPENT = SOL / 10n;

describe('clients of the IDL', function () {
  this.timeout(60_000);
  const cluster = useCluster();
  let trader: Keypair;
  let mint: Keypair;

  before(async () => {
    trader = await cluster().fundedWallet(10n * SOL);
  });

  beforeEach(() => {
    mint = Keypair.generate();
  });

  const heldTokens = () =>
    tokensOf(cluster().connection, associatedTokenAddress(trader.publicKey, mint.publicKey).address);
  const mintAccount = () => createMintAccount(trader.publicKey, mint.publicKey, Number(MINT_RENT), 0n);
  const tokenAccount = (account: PublicKey) =>
    createAssociatedTokenAccountIdempotentInstruction(
      trader.publicKey,
      account,
      trader.publicKey,
      mint.publicKey,
    );

  async function expectTraded(work: {
    buy: () => Promise<unknown>;
    sell: (held: bigint) => Promise<unknown>;
  }) {
    const created = await fetchTokenOwnerData(cluster().connection, mint.publicKey);
    expect(created).to.include({ initialized: 1, virtualSol: 30_000_000_000n });
    await work.buy();
    const held = await heldTokens();
    expect(held > 0n, 'bought').to.equal(true);
    await work.sell(held);
    expect(await heldTokens()).to.equal(0n);
  }

  for (const [name, anchor] of [
    ['@coral-xyz/anchor 0.32', oldAnchor],
    // The new package name of the same interface.
    ['@anchor-lang/core', currentAnchor as unknown as typeof oldAnchor],
  ] as const) {
    it(`${name} launches, buys and sells`, async () => {
      const { AnchorProvider, Program, Wallet } = anchor;
      const { connection } = cluster();
      const provider = new AnchorProvider(connection, new Wallet(trader), { commitment: 'confirmed' });
      const program = new Program<BondingCurve>(IDL, provider);
      const tokenMint = mint.publicKey;
      const curveBump = seedBump('tokenOwnerPda', { tokenMint });
      const logBump = seedBump('logAuthorityAccount', {});

      // Anchor's own `rpc()` waits for one notification of the node, which a busy machine can lose.
      const send = async (
        call: { instruction(): Promise<TransactionInstruction> },
        before: TransactionInstruction[] = [],
        signers: Keypair[] = [],
      ) => cluster().send([...before, await call.instruction()], [trader, ...signers]);

      await send(
        program.methods
          .createToken(curveBump, NAME.uri, NAME.name, NAME.symbol, 0, 0, 0, 0, logBump)
          .accounts({ tokenMint }),
        mintAccount(),
        [mint],
      );

      await expectTraded({
        buy: async () => {
          const buy = program.methods
            .buyToken(curveBump, new BN(SPENT), new BN(1), logBump)
            .accounts({ tokenMint });
          const { userTokenAccount } = await buy.pubkeys();
          await send(buy, [tokenAccount(userTokenAccount!)]);
        },
        sell: (held) =>
          send(
            program.methods.sellToken(curveBump, new BN(held), new BN(1), logBump).accounts({ tokenMint }),
          ),
      });
    });

    it(`${name} finds every account of a graduation except the two vaults`, async () => {
      const provider = new anchor.AnchorProvider(cluster().connection, new anchor.Wallet(trader));
      const program = new anchor.Program(GRADUATION_IDL, provider);
      const found = await program.methods['graduate']!(1, 1, 1, 1, 1, 1)
        .accountsPartial({ tokenMint: mint.publicKey })
        .pubkeys();
      const missing = GRADUATION_IDL.instructions
        .find((instruction) => instruction.name === 'graduate')!
        .accounts.map((account) => account.name)
        .filter((account) => (found as Record<string, unknown>)[account] === undefined);
      expect(missing).to.deep.equal(['poolVault0', 'poolVault1']);
    });
  }

  it('a client that Codama generated launches, buys and sells over Kit', async () => {
    const client = await codamaClient(JSON.parse(readFileSync('artifacts/bonding_curve.json', 'utf8')));
    const payerAccount = await signerOf(trader);
    const signers = [payerAccount, await signerOf(mint)];
    const tokenMint = address(mint.publicKey.toBase58());
    const send = (instructions: Parameters<typeof sendWithKit>[2]) =>
      sendWithKit(cluster().rpcUrl, payerAccount, instructions);
    const kit = (instruction: TransactionInstruction) => kitInstruction(instruction, signers);
    const common = await commonArguments(client, payerAccount, tokenMint);

    const terms = {
      afterMigrationFee: 0,
      afterMigrationBurnBp: 0,
      afterMigrationHoldersBp: 0,
      afterMigrationLpBp: 0,
    };
    const create = await client.getCreateTokenInstructionAsync({ ...common, ...NAME, ...terms });
    await send([...mintAccount().map(kit), create]);

    await expectTraded({
      buy: async () => {
        const buy = await client.getBuyTokenInstructionAsync({
          ...common,
          solToSpend: SPENT,
          minTokenToReceive: 1n,
        });
        const account = new PublicKey(buy.accounts![6]!.address);
        await send([kit(tokenAccount(account)), buy]);
        expect((await getAccount(cluster().connection, account)).owner).to.deep.equal(trader.publicKey);
      },
      sell: async (tokenToSpend) =>
        send([await client.getSellTokenInstructionAsync({ ...common, tokenToSpend, minSolToReceive: 1n })]),
    });
  });
});

async function commonArguments(client: CodamaClient, payerAccount: TransactionSigner, tokenMint: Address) {
  const [, pdaTokenNonce] = await client.findTokenOwnerPdaPda({ tokenMint });
  return { payerAccount, tokenMint, pdaTokenNonce, loggingAccountBump: seedBump('logAuthorityAccount', {}) };
}

/** The bump of a PDA of `createToken`. Bumps are arguments, which IDL clients do not fill in. */
function seedBump(name: string, accounts: Readonly<Record<string, PublicKey>>): number {
  const create = IDL.instructions.find((instruction) => instruction.name === 'createToken')!;
  const { pda } = create.accounts.find((account) => account.name === name)! as unknown as {
    pda: { seeds: readonly { kind: string; value: readonly number[]; path: string }[] };
  };
  const seeds = pda.seeds.map(({ kind, value, path }) =>
    kind === 'const' ? Uint8Array.from(value) : accounts[path]!.toBytes(),
  );
  return PublicKey.findProgramAddressSync(seeds, new PublicKey(IDL.address))[1];
}
