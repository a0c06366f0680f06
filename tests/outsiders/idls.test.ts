// Clients that know the IDL and the RPC URL alone. Each buys a token of the launchpad.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as anchorTypes from '@coral-xyz/anchor';
import { createAssociatedTokenAccountIdempotentInstruction } from '@solana/spl-token';
import { AccountRole, type Instruction } from '@solana/kit';
import { Connection, Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import BN from 'bn.js';
import { associatedTokenAddress, curveAddress, DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { fromNpm, launchpad, ROOT } from '#tests/outsiders/launchpad.js';
import { eventually } from '#tests/service/service.js';
import { tokensOf } from '#tests/program/tokens.js';

const ANCHORS = [
  '@coral-xyz/anchor@0.30.1',
  '@coral-xyz/anchor@0.31.1',
  '@coral-xyz/anchor@0.32.1',
  '@anchor-lang/core@1.0.2',
  '@anchor-lang/core@1.2.0',
];
const aliasOf = (anchor: string) => anchor.replace(/^@/, '').replace(/[/@]/g, '-');
const SPENT = 1_000_000n;

interface DynamicClient {
  readonly createProgramClient: (idl: object) => {
    readonly methods: Readonly<
      Record<
        string,
        (args: object) => { accounts(accounts: object): { instruction(): Promise<Instruction> } }
      >
    >;
  };
}

describe('clients of the IDL that the repository ships', function () {
  this.timeout(300_000);
  let connection: Connection;
  let wallet: Keypair;
  let mint: PublicKey;
  let idl: anchorTypes.Idl;
  let load: NodeJS.Require;

  before(async () => {
    const codama = ['@codama/dynamic-client@0.1.0', '@codama/nodes-from-anchor@1.4.1'];
    const anchors = ANCHORS.map((anchor) => `${aliasOf(anchor)}@npm:${anchor}`);
    const [{ rpcUrl, tokens, walletFile }, folder] = await Promise.all([
      launchpad(),
      fromNpm('@solana/web3.js@1.99.0', ...anchors, ...codama),
    ]);
    load = createRequire(join(folder, 'package.json'));
    const key = JSON.parse(await readFile(walletFile, 'utf8')) as number[];
    idl = JSON.parse(
      await readFile(join(ROOT, 'programs/artifacts/bonding_curve.json'), 'utf8'),
    ) as anchorTypes.Idl;
    connection = new Connection(rpcUrl, 'confirmed');
    wallet = Keypair.fromSecretKey(Uint8Array.from(key));
    mint = new PublicKey(tokens[0]!.mint);
  });

  const account = () => associatedTokenAddress(wallet.publicKey, mint).address;
  const opening = () =>
    createAssociatedTokenAccountIdempotentInstruction(wallet.publicKey, account(), wallet.publicKey, mint);
  const bumps = () => [curveAddress(mint).bump, DEFAULT_DEPLOYMENT.logAuthority.bump] as const;

  /** Sends the purchase. It waits for the tokens, because a busy Surfpool loses notifications of its websocket. */
  async function expectToBuy(purchase: TransactionInstruction): Promise<void> {
    const before = await tokensOf(connection, account());
    await connection.sendTransaction(new Transaction().add(opening(), purchase), [wallet]);
    await eventually(async () => (await tokensOf(connection, account())) > before, 'the bought tokens');
  }

  for (const anchor of ANCHORS) {
    it(`${anchor} buys`, async () => {
      const { AnchorProvider, Program, Wallet } = load(aliasOf(anchor)) as typeof anchorTypes;
      const provider = new AnchorProvider(connection, new Wallet(wallet), { commitment: 'confirmed' });
      const program = new Program(idl, provider);
      const [curveBump, logBump] = bumps();
      await expectToBuy(
        await program.methods['buyToken']!(curveBump, new BN(SPENT), new BN(1), logBump)
          .accounts({ tokenMint: mint })
          .instruction(),
      );
    });
  }

  it("Codama's dynamic client buys", async () => {
    const { createProgramClient } = load('@codama/dynamic-client') as DynamicClient;
    const { rootNodeFromAnchor } = load('@codama/nodes-from-anchor') as {
      readonly rootNodeFromAnchor: (idl: object) => object;
    };
    const [pdaTokenNonce, loggingAccountBump] = bumps();
    const terms = { pdaTokenNonce, solToSpend: SPENT, minTokenToReceive: 1n, loggingAccountBump };
    const buy = await createProgramClient(rootNodeFromAnchor(idl)).methods['buyToken']!(terms)
      .accounts({ payerAccount: wallet.publicKey.toBase58(), tokenMint: mint.toBase58() })
      .instruction();
    await expectToBuy(legacy(buy));
  });
});

function legacy({ programAddress, accounts = [], data }: Instruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(programAddress),
    keys: accounts.map(({ address, role }) => ({
      pubkey: new PublicKey(address),
      isSigner: role >= AccountRole.READONLY_SIGNER,
      isWritable: role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER,
    })),
    data: Buffer.from(data ?? []),
  });
}
