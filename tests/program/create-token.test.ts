import { Key } from '@metaplex-foundation/mpl-token-metadata'; // threat: mint-authority
import { NATIVE_MINT } from '@solana/spl-token';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  createToken,
  decodeRecords,
  decodeTokenOwnerData,
  encodeTokenOwnerData,
  quoteBuy,
  TOKEN_DECIMALS,
  TOKEN_OWNER_DATA_SIZE,
  TOKEN_SUPPLY,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { lamportsOfAll, rentOf, snapshot } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { blankMint, rawCreateToken } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { launch, mintAccount, TERMS, tokenAccount, tokensOf, type Token } from '#tests/program/tokens.js';
import { metadataOf } from '#tests/program/metadata.js';
import { MINT_RENT } from '#tests/constants.js';

/** The reserves of a new curve. */
const reserves = {
  virtualSol: DEFAULT_PROPERTIES.initialVirtualSol,
  virtualToken: DEFAULT_PROPERTIES.initialVirtualToken,
};

describe('createToken', () => {
  const cluster = useCluster();

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

    it('then the curve is trading, with the reserves of the properties and the terms of the creator', async () => {
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

    it('then Metaplex has its metadata, which is immutable', async () => {
      expect(await metadataOf(cluster(), token)).to.deep.include({
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

    it('then the creator has paid only the lamports of the new accounts and the transaction fee', async () => {
      const held = await lamportsOfAll(cluster().connection, newAccounts);
      const sum = held.reduce((total, lamports) => total + lamports, 0n);
      expect(paidByCreator).to.equal(sum + token.created.fee);
    });
  });

  describe('Given a first buy in the same transaction', () => {
    it('when the creator buys, then the creator gets the first tokens at the initial price', async () => {
      const { connection, payer } = cluster();
      const creator = await cluster().fundedWallet();
      const mint = Keypair.generate();
      const solToSpend = 1_000_000_000n;
      const { platformFeeBps } = DEFAULT_PROPERTIES;
      const quote = quoteBuy({ ...reserves, platformFeeBps }, solToSpend);
      const instructions = createToken({
        ...TERMS,
        mintRentLamports: MINT_RENT,
        mint: mint.publicKey,
        payer: creator.publicKey,
        firstBuy: { solToSpend, minTokenToReceive: quote.minTokenToReceive },
      });
      const { transaction } = await cluster().send(instructions, [payer, creator, mint]);
      const tokens = associatedTokenAddress(creator.publicKey, mint.publicKey).address;
      expect(await tokensOf(connection, tokens)).to.equal(quote.tokenOut);
      expect(decodeRecords(transaction).map(({ kind }) => kind)).to.deep.equal(['create', 'trade']);
    });

    it('when the buy fails, then the token is not created either', async () => {
      const { payer } = cluster();
      const mint = Keypair.generate();
      const instructions = createToken({
        ...TERMS,
        mintRentLamports: MINT_RENT,
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
