import { getMetadataAccountDataSerializer, Key } from '@metaplex-foundation/mpl-token-metadata'; // threat: mint-authority, blocked-creation, uninitialised-mint
import {
  ACCOUNT_SIZE,
  createInitializeMint2Instruction,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  compileTransaction,
  createToken,
  decodeRecords,
  decodeTokenOwnerData,
  encodeTokenOwnerData,
  InvalidArgumentError,
  LOGGING_AUTHORITY_BUMP,
  quoteBuy,
  TOKEN_DECIMALS,
  TOKEN_OWNER_DATA_SIZE,
  TOKEN_PROGRAM_ADDRESS,
  TOKEN_SUPPLY,
  tokenAddresses,
  type CreateTokenArgs,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type LocalCluster } from '@curvekit/testing';
import { lamportsOfAll, rentOf, snapshot } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { expectRefused, LOGICAL, MATCH } from '#tests/cluster/refusals.js';
import { MINT_RENT } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { withData } from '#tests/program/altered.js';
import { nonCanonicalCurve } from '#tests/program/non-canonical.js';
import { blankMint, rawCreateToken } from '#tests/program/raw-instructions.js';
import {
  launch,
  mintAccount,
  TERMS,
  tokenAccount,
  tokensOf,
  type Terms,
  type Token,
} from '#tests/program/tokens.js';

const reserves = {
  virtualSol: DEFAULT_PROPERTIES.initialVirtualSol,
  virtualToken: DEFAULT_PROPERTIES.initialVirtualToken,
};
const shares = (
  afterMigrationBurnBp: number,
  afterMigrationHoldersBp: number,
  afterMigrationLpBp: number,
) => ({
  ...{ afterMigrationBurnBp, afterMigrationHoldersBp, afterMigrationLpBp },
});
const LIMITS = { name: 32, symbol: 10, uri: 200 } as const;

const ACCEPTED: readonly Partial<Terms>[] = [
  ...Object.entries(LIMITS).map(([field, limit]) => ({ [field]: 'x'.repeat(limit) })),
  // Emoji to the last byte.
  { name: '🚀'.repeat(8), symbol: '🌕🌕!!', uri: `https://example.org/${'🪙'.repeat(45)}` },
  ...[0, 25, 50, 100, 200, 500].map((afterMigrationFee) => ({ afterMigrationFee })),
  ...[shares(0, 0, 0), shares(10_000, 0, 0), shares(0, 10_000, 0), shares(0, 0, 10_000)],
  shares(3_333, 3_333, 3_334),
];
const REFUSED: readonly Partial<CreateTokenArgs>[] = [
  ...Object.entries(LIMITS).flatMap(([field, limit]) => [
    { [field]: 'x'.repeat(limit + 1) },
    { [field]: '' },
  ]),
  // Within the limit in characters, but not in bytes.
  ...[{ name: '🚀'.repeat(9) }, { symbol: '🌕🌕🌕' }],
  ...[1, 24, 26, 150, 499, 501, 10_000, 65_535].map((afterMigrationFee) => ({ afterMigrationFee })),
  ...[shares(10_001, 0, 0), shares(0, 10_001, 0), shares(0, 0, 10_001), shares(3_334, 3_333, 3_334)],
  // The sums exceed u16: 65,535 + 1 + 0 would wrap to 0.
  ...[shares(65_535, 1, 0), shares(65_535, 65_535, 65_535)],
];
async function metadataOf({ connection }: LocalCluster, { metadata }: Pick<Token, 'metadata'>) {
  const account = await connection.getAccountInfo(metadata.address);
  return getMetadataAccountDataSerializer().deserialize(account!.data)[0];
}

const told = (args: object): string => JSON.stringify(args);

describe('createToken', () => {
  const cluster = useCluster();

  /** Sends `createToken` of a new mint, after what makes its mint account, by default a blank one. */
  async function expectCreateRefused(
    expected: string,
    build: (mint: PublicKey) => TransactionInstruction,
    make: (mint: PublicKey) => TransactionInstruction[] = (mint) => [
      blankMint(cluster().payer.publicKey, mint),
    ],
    others: readonly Keypair[] = [],
  ): Promise<void> {
    const mint = Keypair.generate();
    const made = make(mint.publicKey);
    const signers = [...(made.length > 0 ? [mint] : []), ...others];
    await expectRefused(cluster(), [...made, build(mint.publicKey)], signers, expected);
  }
  const creation = (mint: PublicKey) => rawCreateToken(mint, cluster().payer.publicKey);

  it('creates the mint, its vault, its metadata, its storages and its curve, and leaves one record (invariant 9)', async () => {
    const { connection, deployment, programId } = cluster();
    const creator = await cluster().fundedWallet();
    const others = [deployment.properties.address, deployment.feeReceiver, deployment.dexOwner];
    const untouched = await snapshot(connection, others);
    const [had] = await lamportsOfAll(connection, [creator.publicKey]);
    const token = await launch(cluster(), {}, creator);
    const { mint, curve, vault, metadata, communityWsolStorage, communityTokenStorage, created } = token;
    expect(await snapshot(connection, others)).to.deep.equal(untouched);

    const account = (await connection.getAccountInfo(curve.address))!;
    const { afterMigrationFee, afterMigrationBurnBp } = TERMS;
    const state = { initialized: 1, ...reserves, afterMigrationFee, afterMigrationBurnBp };
    expect(account.owner.equals(programId)).to.equal(true);
    expect(account.data).to.deep.equal(Buffer.from(encodeTokenOwnerData(state)));
    expect(BigInt(account.lamports)).to.equal(await rentOf(connection, TOKEN_OWNER_DATA_SIZE));

    expect(await mintAccount(connection, mint)).to.deep.include({
      supply: TOKEN_SUPPLY,
      decimals: TOKEN_DECIMALS,
      isInitialized: true,
      mintAuthority: null,
      freezeAuthority: null,
    });
    expect(vault).to.deep.equal(associatedTokenAddress(curve.address, mint));
    for (const [address, ofMint, owner, amount] of [
      [vault.address, mint, curve.address, TOKEN_SUPPLY],
      [communityWsolStorage.address, NATIVE_MINT, deployment.dexOwner, 0n],
      [communityTokenStorage.address, mint, deployment.dexOwner, 0n],
    ] as const) {
      const held = await tokenAccount(connection, address);
      const expected = { mint: ofMint, owner, amount, delegate: null, closeAuthority: null };
      expect(held).to.deep.include(expected);
    }
    const { name, symbol, uri } = TERMS;
    expect(await metadataOf(cluster(), token)).to.deep.include({
      key: Key.MetadataV1,
      updateAuthority: curve.address.toBase58(),
      mint: mint.toBase58(),
      ...{ name, symbol, uri },
      sellerFeeBasisPoints: 0,
      creators: { __option: 'None' },
      isMutable: false,
    });

    const { unixTimestamp } = await cluster().clock();
    const [record, ...more] = decodeRecords(created.transaction);
    expect(more).to.deep.equal([]);
    expect(record).to.include({ kind: 'create', signature: created.signature });
    const { timestamp, ...data } = record!.data;
    expect(data).to.deep.equal({
      mint,
      creator: creator.publicKey,
      tokenOwnerPda: curve.address,
      ...{ name, symbol, uri, afterMigrationFee },
      burnBp: afterMigrationBurnBp,
      holdersBp: TERMS.afterMigrationHoldersBp,
      lpBp: TERMS.afterMigrationLpBp,
      ...reserves,
      platformFeeBps: DEFAULT_PROPERTIES.platformFeeBps,
    });
    expect(timestamp > unixTimestamp - 60n && timestamp <= unixTimestamp).to.equal(true);

    const opened = [curve, vault, metadata, communityWsolStorage, communityTokenStorage];
    const lamports = await lamportsOfAll(connection, [mint, ...opened.map(({ address }) => address)]);
    const [left] = await lamportsOfAll(connection, [creator.publicKey]);
    const rents = lamports.reduce((total, each) => total + each, 0n);
    expect(had! - left!).to.equal(rents + created.fee);
  });

  it('takes the first buy at the initial price into its transaction, and creates nothing when the buy fails', async () => {
    const { connection, payer } = cluster();
    const creator = await cluster().fundedWallet();
    const solToSpend = 1_000_000_000n;
    const quote = quoteBuy({ ...reserves, platformFeeBps: DEFAULT_PROPERTIES.platformFeeBps }, solToSpend);
    const build = (mint: Keypair, minTokenToReceive: bigint) =>
      createToken({
        ...TERMS,
        mintRentLamports: MINT_RENT,
        mint: mint.publicKey,
        payer: creator.publicKey,
        firstBuy: { solToSpend, minTokenToReceive },
      });
    const mint = Keypair.generate();
    const dear = build(mint, TOKEN_SUPPLY);
    const error = await expectRefused(cluster(), dear, [mint, creator], '6003 SlippageError');
    expect(error.instruction?.name).to.equal('buyToken');
    const right = build(mint, quote.minTokenToReceive);
    const { transaction } = await cluster().send(right, [payer, creator, mint]);
    const tokens = associatedTokenAddress(creator.publicKey, mint.publicKey).address;
    expect(await tokensOf(connection, tokens)).to.equal(quote.tokenOut);
    expect(decodeRecords(transaction).map(({ kind }) => kind)).to.deep.equal(['create', 'trade']);
  });

  for (const terms of ACCEPTED)
    it(`when the terms are ${told(terms)}, then all of them are on chain`, async () => {
      const token = await launch(cluster(), terms);
      const all = { ...TERMS, ...terms };
      const { name, symbol, uri, afterMigrationFee, afterMigrationBurnBp } = all;
      expect(await metadataOf(cluster(), token)).to.deep.include({ name, symbol, uri });
      const account = await cluster().connection.getAccountInfo(token.curve.address);
      const state = decodeTokenOwnerData(account!.data);
      expect(state).to.include({ afterMigrationFee, afterMigrationBurnBp });
      const [record] = decodeRecords(token.created.transaction);
      expect(record!.data).to.include({
        ...{ name, symbol, uri, afterMigrationFee },
        burnBp: afterMigrationBurnBp,
        holdersBp: all.afterMigrationHoldersBp,
        lpBp: all.afterMigrationLpBp,
      });
    });

  for (const args of REFUSED)
    it(`when the terms are ${told(args)}, then the program creates nothing, and the SDK names the argument`, async () => {
      await expectCreateRefused(LOGICAL, (mint) => rawCreateToken(mint, cluster().payer.publicKey, { args }));
      const error = await rejection(launch(cluster(), args), InvalidArgumentError);
      expect(Object.keys(args)).to.include(error.argument);
    });

  it('when an emoji is cut in half, then the arguments do not decode', async () => {
    await expectCreateRefused('102 InstructionDidNotDeserialize', (mint) => {
      const whole = rawCreateToken(mint, cluster().payer.publicKey, { args: { name: '🚀🚀' } });
      const data = Buffer.from(whole.data);
      data[data.indexOf(Buffer.from('🚀🚀')) + 7] = 'x'.charCodeAt(0);
      return withData(whole, data);
    });
  });

  it('when all texts have their maximum length, then the transaction with its compute budget fits 1,232 bytes', async () => {
    const { payer } = cluster();
    const mint = Keypair.generate();
    const texts = { name: 'n'.repeat(32), symbol: 's'.repeat(10), uri: 'u'.repeat(200) };
    const whose = { mint: mint.publicKey, payer: payer.publicKey };
    const instructions = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10_000 }),
      ...createToken({ ...TERMS, mintRentLamports: MINT_RENT, ...texts, ...whose }),
    ];
    const { bytes } = await cluster().send(instructions, [payer, mint]);
    expect(bytes).to.be.at.most(1_232);
    const parts = { payer: payer.publicKey, instructions };
    expect(compileTransaction(parts, PublicKey.default.toBase58()).serialize()).to.have.lengthOf(bytes);
  });

  it('refuses a bump that is not canonical, also with the address that it derives', async () => {
    const payer = cluster().payer.publicKey;
    for (const loggingAccountBump of [LOGGING_AUTHORITY_BUMP - 1, 0]) {
      const args = { loggingAccountBump };
      await expectCreateRefused(LOGICAL, (mint) => rawCreateToken(mint, payer, { args }));
    }
    await expectCreateRefused(MATCH, (mint) => {
      const { address, bump } = nonCanonicalCurve(mint);
      const accounts = {
        tokenOwnerPda: address,
        tokenOwnerTokenAccount: associatedTokenAddress(address, mint).address,
      };
      return rawCreateToken(mint, payer, { args: { pdaTokenNonce: bump }, accounts });
    });
  });

  it('refuses a mint account that is not blank: created before, initialised, of Token-2022, missing or too large', async () => {
    const { connection, payer } = cluster();
    const token = await launch(cluster());
    await expectRefused(cluster(), [creation(token.mint)], [], LOGICAL);
    await expectCreateRefused(LOGICAL, creation, (mint) => [
      blankMint(payer.publicKey, mint),
      createInitializeMint2Instruction(mint, TOKEN_DECIMALS, payer.publicKey, null),
    ]);
    await expectCreateRefused('2004 ConstraintOwner', creation, () => []);
    for (const [space, programId, expected] of [
      [82, TOKEN_2022_PROGRAM_ID, '2004 ConstraintOwner'],
      [ACCOUNT_SIZE, TOKEN_PROGRAM_ADDRESS, 'Token InvalidAccountData'],
    ] as const) {
      const lamports = Number(await rentOf(connection, space));
      const from = { fromPubkey: payer.publicKey, lamports, space, programId };
      await expectCreateRefused(expected, creation, (newAccountPubkey) => [
        SystemProgram.createAccount({ ...from, newAccountPubkey }),
      ]);
    }
  });

  it('when the rents exceed what the creator has, then the System program refuses and nothing is created', async () => {
    const creator = await cluster().fundedWallet(10_000_000n);
    await expectCreateRefused('System 1', (mint) => rawCreateToken(mint, creator.publicKey), undefined, [
      creator,
    ]);
  });

  /** `least` is the rent exemption of an account without data. */
  for (const [amount, lamportsFor] of [
    ['less than the rent', (rent: bigint, least: bigint) => (least < rent ? least : rent - 1n)],
    ['exactly the rent', (rent: bigint) => rent],
    ['more than the rent', (rent: bigint) => rent + 1_234_567n],
  ] as const)
    it(`when ${amount} was sent to each of its addresses before, then the SDK creates the same token`, async () => {
      const { connection, deployment, payer } = cluster();
      const mint = Keypair.generate();
      const token = { mint: { address: mint.publicKey }, ...tokenAddresses(mint.publicKey) };
      const plain = await launch(cluster());
      const expected = new Map<PublicKey, bigint>();
      let mintLamports = 0n;
      for (const name of [
        'curve',
        'vault',
        'metadata',
        'communityWsolStorage',
        'communityTokenStorage',
        'mint',
      ] as const) {
        // What a token has without gifts: of the metadata also the fee that some of Metaplex's versions charge.
        const usual = (await connection.getAccountInfo(name === 'mint' ? plain.mint : plain[name].address))!;
        const rent = await rentOf(connection, usual.data.length);
        const gift = lamportsFor(rent, await rentOf(connection, 0));
        await cluster().fund(token[name].address, gift);
        if (name === 'mint') mintLamports = gift;
        expected.set(token[name].address, BigInt(usual.lamports) + (gift > rent ? gift - rent : 0n));
      }
      const whose = { mint: mint.publicKey, payer: payer.publicKey, mintRentLamports: MINT_RENT };
      const instructions = createToken({ ...TERMS, ...whose, mintLamports });
      const { transaction } = await cluster().send(instructions, [payer, mint]);
      expect(decodeRecords(transaction)).to.have.lengthOf(1);
      expect(await lamportsOfAll(connection, [...expected.keys()])).to.deep.equal([...expected.values()]);

      const curve = await connection.getAccountInfo(token.curve.address);
      expect(decodeTokenOwnerData(curve!.data)).to.include({ initialized: 1, ...reserves });
      const issued = { supply: TOKEN_SUPPLY, mintAuthority: null };
      expect(await mintAccount(connection, mint.publicKey)).to.include(issued);
      expect(await tokensOf(connection, token.vault.address)).to.equal(TOKEN_SUPPLY);
      expect(await metadataOf(cluster(), token)).to.include({ name: TERMS.name, isMutable: false });
      for (const { address } of [token.communityWsolStorage, token.communityTokenStorage])
        expect((await tokenAccount(connection, address)).owner).to.deep.equal(deployment.dexOwner);
    });
});
