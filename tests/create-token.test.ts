import { getMetadataAccountDataSerializer, Key } from '@metaplex-foundation/mpl-token-metadata';
import {
  ACCOUNT_SIZE,
  createInitializeMint2Instruction,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
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
import { DEFAULT_PROPERTIES, type SentTransaction } from '@curvekit/testing';
import { lamportsOfAll, rentOf, snapshot } from '#tests/cluster/accounts.js';
import { withData } from '#tests/program/altered.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { nonCanonicalCurve } from '#tests/program/non-canonical.js';
import { blankMint, rawCreateToken } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { launch, mintAccount, TERMS, tokenAccount, tokensOf, type Token } from '#tests/program/tokens.js';

const MATCH = '6000 BondingCurveDoesNotMatchMint';
const LOGICAL = '6005 LogicalError';

/** The reserves of a new curve. */
const reserves = {
  virtualSol: DEFAULT_PROPERTIES.initialVirtualSol,
  virtualToken: DEFAULT_PROPERTIES.initialVirtualToken,
};

describe('createToken', () => {
  const cluster = useCluster();

  /** Sends the instruction as the interface has it, behind the mint's account. */
  function create(args: Partial<CreateTokenArgs>, mint = Keypair.generate()): Promise<SentTransaction> {
    const { payer } = cluster();
    const instruction = rawCreateToken(mint.publicKey, payer.publicKey, { args });
    return cluster().send([blankMint(payer.publicKey, mint.publicKey), instruction], [payer, mint]);
  }

  async function expectCreateRefused(args: Partial<CreateTokenArgs>, expected: string): Promise<void> {
    const { payer } = cluster();
    const mint = Keypair.generate();
    const instruction = rawCreateToken(mint.publicKey, payer.publicKey, { args });
    const instructions = [blankMint(payer.publicKey, mint.publicKey), instruction];
    await expectRefused(cluster(), instructions, [mint], expected);
  }

  async function metadataOf({ metadata }: Pick<Token, 'metadata'>) {
    const account = await cluster().connection.getAccountInfo(metadata.address);
    return getMetadataAccountDataSerializer().deserialize(account!.data)[0];
  }

  describe('Given properties, when a creator launches a token', () => {
    let creator: Keypair;
    let token: Token;
    let newAccounts: PublicKey[];
    let paidByCreator: bigint;

    before(async () => {
      const { connection, deployment } = cluster();
      creator = await cluster().fundedWallet();
      const others = [deployment.properties.address, deployment.feeReceiver, deployment.dexOwner];
      const untouched = await snapshot(connection, others);
      const [held] = await lamportsOfAll(connection, [creator.publicKey]);
      token = await launch(cluster(), {}, creator);
      const [left] = await lamportsOfAll(connection, [creator.publicKey]);
      paidByCreator = held! - left!;
      newAccounts = [
        token.mint,
        ...[
          token.curve,
          token.vault,
          token.metadata,
          token.communityWsolStorage,
          token.communityTokenStorage,
        ].map(({ address }) => address),
      ];
      expect(await snapshot(connection, others)).to.deep.equal(untouched);
    });

    it('then the curve trades, with the reserves of the properties and the terms of the creator', async () => {
      const { connection, programId } = cluster();
      const account = await connection.getAccountInfo(token.curve.address);
      const expected = {
        initialized: 1,
        ...reserves,
        afterMigrationFee: TERMS.afterMigrationFee,
        afterMigrationBurnBp: TERMS.afterMigrationBurnBp,
      };
      expect(account!.owner.toBase58()).to.equal(programId.toBase58());
      expect(decodeTokenOwnerData(account!.data)).to.deep.equal(expected);
      expect(account!.data.toString('hex')).to.equal(
        Buffer.from(encodeTokenOwnerData(expected)).toString('hex'),
      );
      expect(BigInt(account!.lamports)).to.equal(await rentOf(connection, TOKEN_OWNER_DATA_SIZE));
    });

    it('then the mint has six decimals, the whole supply, and no authority', async () => {
      const mint = await mintAccount(cluster().connection, token.mint);
      expect(mint).to.deep.include({
        supply: TOKEN_SUPPLY,
        decimals: TOKEN_DECIMALS,
        isInitialized: true,
        mintAuthority: null,
        freezeAuthority: null,
      });
    });

    it('then the vault, the associated account of the curve, holds the whole supply', async () => {
      const vault = await tokenAccount(cluster().connection, token.vault.address);
      expect(vault).to.deep.include({ amount: TOKEN_SUPPLY, delegate: null, closeAuthority: null });
      expect([vault.owner, vault.mint]).to.deep.equal([token.curve.address, token.mint]);
      expect(token.vault).to.deep.equal(associatedTokenAddress(token.curve.address, token.mint));
    });

    it('then Metaplex has its metadata, which nobody can change', async () => {
      expect(await metadataOf(token)).to.deep.include({
        key: Key.MetadataV1,
        updateAuthority: token.curve.address.toBase58(),
        mint: token.mint.toBase58(),
        name: TERMS.name,
        symbol: TERMS.symbol,
        uri: TERMS.uri,
        sellerFeeBasisPoints: 0,
        creators: { __option: 'None' },
        isMutable: false,
      });
    });

    it('then both community storages are empty and belong to the DEX owner', async () => {
      const { connection, deployment } = cluster();
      const storages = [
        [token.communityWsolStorage.address, NATIVE_MINT],
        [token.communityTokenStorage.address, token.mint],
      ] as const;
      for (const [address, mint] of storages) {
        const storage = await tokenAccount(connection, address);
        expect([storage.mint, storage.owner]).to.deep.equal([mint, deployment.dexOwner]);
        expect(storage).to.deep.include({ amount: 0n, delegate: null, closeAuthority: null });
      }
    });

    it('invariant 9: then there is one record, and it equals the change', async () => {
      const { unixTimestamp } = await cluster().clock();
      const records = decodeRecords(token.created.transaction);
      expect(records).to.have.lengthOf(1);
      const [record] = records;
      expect(record).to.deep.include({ kind: 'create', signature: token.created.signature });
      const { timestamp, ...data } = record!.data;
      expect(data).to.deep.equal({
        mint: token.mint,
        creator: creator.publicKey,
        tokenOwnerPda: token.curve.address,
        name: TERMS.name,
        symbol: TERMS.symbol,
        uri: TERMS.uri,
        afterMigrationFee: TERMS.afterMigrationFee,
        burnBp: TERMS.afterMigrationBurnBp,
        holdersBp: TERMS.afterMigrationHoldersBp,
        lpBp: TERMS.afterMigrationLpBp,
        ...reserves,
        platformFeeBps: DEFAULT_PROPERTIES.platformFeeBps,
      });
      expect(timestamp > unixTimestamp - 60n && timestamp <= unixTimestamp).to.equal(true);
    });

    it('then the creator has paid what the new accounts hold and the transaction fee, no more', async () => {
      const held = await lamportsOfAll(cluster().connection, newAccounts);
      const sum = held.reduce((total, lamports) => total + lamports, 0n);
      expect(paidByCreator).to.equal(sum + token.created.fee);
    });
  });

  describe('Given names at their limits', () => {
    const fields = [
      ['name', 32],
      ['symbol', 10],
      ['uri', 200],
    ] as const;

    for (const [field, limit] of fields) {
      it(`when the ${field} has ${limit} bytes, then it is on chain to the last one`, async () => {
        const text = 'x'.repeat(limit);
        const token = await launch(cluster(), { [field]: text });
        expect((await metadataOf(token))[field]).to.equal(text);
        const [record] = decodeRecords(token.created.transaction);
        expect(record!.data).to.have.property(field, text);
      });

      for (const [what, text] of [
        [`has ${limit + 1} bytes`, 'x'.repeat(limit + 1)],
        ['is empty', ''],
      ] as const) {
        it(`when the ${field} ${what}, then the program refuses it and nothing is created`, () =>
          expectCreateRefused({ [field]: text }, LOGICAL));

        it(`when the ${field} ${what}, then the SDK refuses it first and names it`, async () => {
          const error = await rejection(launch(cluster(), { [field]: text }), InvalidArgumentError);
          expect(error.argument).to.equal(field);
        });
      }
    }

    it('when emoji fill them to the byte, then they are on chain', async () => {
      const terms = { name: '🚀'.repeat(8), symbol: '🌕🌕!!', uri: `https://example.org/${'🪙'.repeat(45)}` };
      expect([terms.name, terms.symbol, terms.uri].map((text) => Buffer.byteLength(text))).to.deep.equal([
        32, 10, 200,
      ]);
      const token = await launch(cluster(), terms);
      expect(await metadataOf(token)).to.deep.include(terms);
      expect(decodeRecords(token.created.transaction)[0]!.data).to.deep.include(terms);
    });

    it('when one emoji more goes over by its bytes, not by its characters, then it is refused', async () => {
      await expectCreateRefused({ name: '🚀'.repeat(9) }, LOGICAL);
      await expectCreateRefused({ symbol: '🌕🌕🌕' }, LOGICAL);
    });

    it('when an emoji is cut in half, then the arguments do not decode', async () => {
      const { payer } = cluster();
      const mint = Keypair.generate();
      const whole = rawCreateToken(mint.publicKey, payer.publicKey, { args: { name: '🚀🚀' } });
      const data = Buffer.from(whole.data);
      data[data.indexOf(Buffer.from('🚀🚀')) + 7] = 'x'.charCodeAt(0);
      const instructions = [blankMint(payer.publicKey, mint.publicKey), withData(whole, data)];
      await expectRefused(cluster(), instructions, [mint], '102 InstructionDidNotDeserialize');
    });

    it('when all are as long as they may be, then the transaction fits 1,232 bytes with its compute budget', async () => {
      const { payer } = cluster();
      const mint = Keypair.generate();
      const terms = { name: 'n'.repeat(32), symbol: 's'.repeat(10), uri: 'u'.repeat(200) };
      const instructions = [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10_000 }),
        ...createToken({ ...TERMS, ...terms, mint: mint.publicKey, payer: payer.publicKey }),
      ];
      const { bytes } = await cluster().send(instructions, [payer, mint]);
      expect(bytes).to.be.at.most(1_232);
      const compiled = compileTransaction(
        { payer: payer.publicKey, instructions },
        PublicKey.default.toBase58(),
      );
      expect(compiled.serialize()).to.have.lengthOf(bytes);
    });
  });

  describe('Given terms at their limits', () => {
    for (const fee of [0, 25, 50, 100, 200, 500]) {
      it(`when afterMigrationFee is ${fee}, then it is on chain`, async () => {
        const { curve } = await launch(cluster(), { afterMigrationFee: fee });
        const account = await cluster().connection.getAccountInfo(curve.address);
        expect(decodeTokenOwnerData(account!.data).afterMigrationFee).to.equal(fee);
      });
    }

    for (const fee of [1, 24, 26, 150, 499, 501, 10_000, 65_535]) {
      it(`when afterMigrationFee is ${fee}, then it is refused`, () =>
        expectCreateRefused({ afterMigrationFee: fee }, LOGICAL));
    }

    const shares = (burn: number, holders: number, lp: number) => ({
      afterMigrationBurnBp: burn,
      afterMigrationHoldersBp: holders,
      afterMigrationLpBp: lp,
    });

    for (const [burn, holders, lp] of [
      [0, 0, 0],
      [10_000, 0, 0],
      [0, 10_000, 0],
      [0, 0, 10_000],
      [3_333, 3_333, 3_334],
    ] as const) {
      it(`when the shares are ${burn}, ${holders} and ${lp}, then they are in the record`, async () => {
        const { created } = await launch(cluster(), shares(burn, holders, lp));
        expect(decodeRecords(created.transaction)[0]!.data).to.deep.include({
          burnBp: burn,
          holdersBp: holders,
          lpBp: lp,
        });
      });
    }

    for (const [burn, holders, lp] of [
      [10_001, 0, 0],
      [0, 10_001, 0],
      [0, 0, 10_001],
      [3_334, 3_333, 3_334],
      // Beyond u16 together: 65,535 + 1 + 0 would wrap to 0.
      [65_535, 1, 0],
      [65_535, 65_535, 65_535],
    ] as const) {
      it(`when the shares are ${burn}, ${holders} and ${lp}, more than a whole, then they are refused`, () =>
        expectCreateRefused(shares(burn, holders, lp), LOGICAL));
    }
  });

  describe('Given bumps that are not canonical', () => {
    it('when pdaTokenNonce is another one, then the curve does not match the mint', async () => {
      const { payer } = cluster();
      const mint = Keypair.generate();
      const { bump } = tokenAddresses(mint.publicKey).curve;
      for (const pdaTokenNonce of [bump - 1, bump === 255 ? 0 : bump + 1, 0]) {
        const instruction = rawCreateToken(mint.publicKey, payer.publicKey, { args: { pdaTokenNonce } });
        const instructions = [blankMint(payer.publicKey, mint.publicKey), instruction];
        await expectRefused(cluster(), instructions, [mint], MATCH);
      }
    });

    it('when a lower nonce comes with the address that it does derive, then neither is accepted', async () => {
      const { payer } = cluster();
      const mint = Keypair.generate();
      const { address, bump } = nonCanonicalCurve(mint.publicKey);
      const instruction = rawCreateToken(mint.publicKey, payer.publicKey, {
        args: { pdaTokenNonce: bump },
        accounts: {
          tokenOwnerPda: address,
          tokenOwnerTokenAccount: associatedTokenAddress(address, mint.publicKey).address,
        },
      });
      await expectRefused(
        cluster(),
        [blankMint(payer.publicKey, mint.publicKey), instruction],
        [mint],
        MATCH,
      );
    });

    for (const loggingAccountBump of [LOGGING_AUTHORITY_BUMP - 1, 0]) {
      it(`when loggingAccountBump is ${loggingAccountBump}, then it is refused and nothing is created`, () =>
        expectCreateRefused({ loggingAccountBump }, LOGICAL));
    }
  });

  describe('Given a mint account that is not blank', () => {
    it('when the token has been created already, then it cannot be created again', async () => {
      const token = await launch(cluster());
      const again = rawCreateToken(token.mint, cluster().payer.publicKey);
      await expectRefused(cluster(), [again], [], LOGICAL);
    });

    it('when somebody else has initialised the mint, then it is refused', async () => {
      const { payer } = cluster();
      const mint = Keypair.generate();
      const instructions = [
        blankMint(payer.publicKey, mint.publicKey),
        createInitializeMint2Instruction(mint.publicKey, TOKEN_DECIMALS, payer.publicKey, null),
        rawCreateToken(mint.publicKey, payer.publicKey),
      ];
      await expectRefused(cluster(), instructions, [mint], LOGICAL);
    });

    it('when it belongs to Token-2022, then it is refused', async () => {
      await expectMintRefused(82, TOKEN_2022_PROGRAM_ID, '2004 ConstraintOwner');
    });

    it('when it belongs to nobody yet, then it is refused', async () => {
      const { payer } = cluster();
      const instruction = rawCreateToken(Keypair.generate().publicKey, payer.publicKey);
      await expectRefused(cluster(), [instruction], [], '2004 ConstraintOwner');
    });

    it('when it has the size of a token account, then the token program refuses it', async () => {
      await expectMintRefused(ACCOUNT_SIZE, TOKEN_PROGRAM_ADDRESS, 'Token InvalidAccountData');
    });

    async function expectMintRefused(space: number, owner: PublicKey, expected: string): Promise<void> {
      const { connection, payer } = cluster();
      const mint = Keypair.generate();
      const account = SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: mint.publicKey,
        lamports: Number(await rentOf(connection, space)),
        space,
        programId: owner,
      });
      const instructions = [account, rawCreateToken(mint.publicKey, payer.publicKey)];
      await expectRefused(cluster(), instructions, [mint], expected);
    }
  });

  describe('Given a creator without enough lamports', () => {
    it('when the rents exceed what is left, then the System program refuses and nothing is created', async () => {
      const { payer } = cluster();
      const creator = await cluster().fundedWallet(10_000_000n);
      const mint = Keypair.generate();
      const instructions = [
        blankMint(payer.publicKey, mint.publicKey),
        rawCreateToken(mint.publicKey, creator.publicKey),
      ];
      await expectRefused(cluster(), instructions, [mint, creator], 'System 1');
    });
  });

  describe('Given lamports that somebody sent ahead', () => {
    /** The least that the cluster lets an empty account hold. */
    const amounts = [
      ['less than the rent', (rent: bigint, least: bigint) => (least < rent ? least : rent - 1n)],
      ['exactly the rent', (rent: bigint) => rent],
      ['more than the rent', (rent: bigint) => rent + 1_234_567n],
    ] as const;
    const addresses = [
      ['curve', TOKEN_OWNER_DATA_SIZE],
      ['vault', ACCOUNT_SIZE],
      ['metadata', undefined],
      ['communityWsolStorage', ACCOUNT_SIZE],
      ['communityTokenStorage', ACCOUNT_SIZE],
    ] as const;

    for (const [amount, lamportsFor] of amounts) {
      for (const [name, size] of addresses) {
        it(`when the ${name} has ${amount}, then the token is created all the same`, async () => {
          const { connection } = cluster();
          const mint = Keypair.generate();
          const { address } = tokenAddresses(mint.publicKey)[name];
          const { rent, fee } =
            size === undefined ? await metadataCost() : { rent: await rentOf(connection, size), fee: 0n };
          const sent = lamportsFor(rent, await rentOf(connection, 0));
          await cluster().fund(address, sent);
          const { transaction } = await create({}, mint);
          expect(decodeRecords(transaction)).to.have.lengthOf(1);
          const [lamports] = await lamportsOfAll(connection, [address]);
          expect(lamports).to.equal((sent > rent ? sent : rent) + fee);
          await expectWhole(mint.publicKey);
        });
      }

      it(`when the mint has ${amount}, then the SDK creates it all the same`, async () => {
        const { connection, payer } = cluster();
        const mint = Keypair.generate();
        const rent = await rentOf(connection, 82);
        const sent = lamportsFor(rent, await rentOf(connection, 0));
        await cluster().fund(mint.publicKey, sent);
        const params = { ...TERMS, mint: mint.publicKey, payer: payer.publicKey, mintLamports: sent };
        await cluster().send(createToken(params), [payer, mint]);
        const [lamports] = await lamportsOfAll(connection, [mint.publicKey]);
        expect(lamports).to.equal(sent > rent ? sent : rent);
        await expectWhole(mint.publicKey);
      });
    }

    /** Whether the token is the same as any other. */
    async function expectWhole(mint: PublicKey): Promise<void> {
      const { connection, deployment } = cluster();
      const token = tokenAddresses(mint);
      const curve = await connection.getAccountInfo(token.curve.address);
      expect(decodeTokenOwnerData(curve!.data)).to.include({ initialized: 1, ...reserves });
      expect(await mintAccount(connection, mint)).to.include({ supply: TOKEN_SUPPLY, mintAuthority: null });
      expect(await tokensOf(connection, token.vault.address)).to.equal(TOKEN_SUPPLY);
      expect(await metadataOf(token)).to.include({ name: TERMS.name, isMutable: false });
      for (const { address } of [token.communityWsolStorage, token.communityTokenStorage]) {
        expect((await tokenAccount(connection, address)).owner).to.deep.equal(deployment.dexOwner);
      }
    }

    /** What Metaplex keeps in a metadata account: its rent, and the fee that some of its versions charge. */
    async function metadataCost(): Promise<{ rent: bigint; fee: bigint }> {
      const { metadata } = await launch(cluster());
      const account = await cluster().connection.getAccountInfo(metadata.address);
      const rent = await rentOf(cluster().connection, account!.data.length);
      return { rent, fee: BigInt(account!.lamports) - rent };
    }
  });

  describe('Given a first buy in the same transaction', () => {
    it('when the creator buys, then it gets the first tokens at the first price', async () => {
      const { connection, payer } = cluster();
      const creator = await cluster().fundedWallet();
      const mint = Keypair.generate();
      const solToSpend = 1_000_000_000n;
      const { platformFeeBps } = DEFAULT_PROPERTIES;
      const quote = quoteBuy({ ...reserves, platformFeeBps }, solToSpend);
      const instructions = createToken({
        ...TERMS,
        mint: mint.publicKey,
        payer: creator.publicKey,
        firstBuy: { solToSpend, minTokenToReceive: quote.minTokenToReceive },
      });
      const { transaction } = await cluster().send(instructions, [payer, creator, mint]);
      const tokens = associatedTokenAddress(creator.publicKey, mint.publicKey).address;
      expect(await tokensOf(connection, tokens)).to.equal(quote.tokenOut);
      expect(decodeRecords(transaction).map(({ kind }) => kind)).to.deep.equal(['create', 'trade']);
    });

    it('when the buy fails, then no token is created either', async () => {
      const { payer } = cluster();
      const mint = Keypair.generate();
      const instructions = createToken({
        ...TERMS,
        mint: mint.publicKey,
        payer: payer.publicKey,
        firstBuy: { solToSpend: 1_000_000_000n, minTokenToReceive: TOKEN_SUPPLY },
      });
      const error = await expectRefused(cluster(), instructions, [mint], '6003 SlippageError');
      expect(error.instruction?.name).to.equal('buyToken');
    });
  });
});

describe('createToken without properties', () => {
  const cluster = useCluster({ properties: false });

  it('Given no properties yet, when a creator launches a token, then it is refused', async () => {
    const { payer } = cluster();
    const mint = Keypair.generate();
    const instructions = [
      blankMint(payer.publicKey, mint.publicKey),
      rawCreateToken(mint.publicKey, payer.publicKey),
    ];
    await expectRefused(cluster(), instructions, [mint], '3012 AccountNotInitialized');
  });
});
