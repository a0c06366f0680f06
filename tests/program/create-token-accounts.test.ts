// threat: blocked-creation, uninitialised-mint
import { ACCOUNT_SIZE, createInitializeMint2Instruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, type PublicKey, SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import {
  createToken,
  decodeRecords,
  decodeTokenOwnerData,
  TOKEN_DECIMALS,
  TOKEN_OWNER_DATA_SIZE,
  TOKEN_PROGRAM_ADDRESS,
  TOKEN_SUPPLY,
  tokenAddresses,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { lamportsOfAll, rentOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { blankMint, rawCreateToken } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { launch, mintAccount, TERMS, tokenAccount, tokensOf } from '#tests/program/tokens.js';
import { LOGICAL } from '#tests/program/refusals.js';
import { metadataOf } from '#tests/program/metadata.js';

/** The reserves of a new curve. */
const reserves = {
  virtualSol: DEFAULT_PROPERTIES.initialVirtualSol,
  virtualToken: DEFAULT_PROPERTIES.initialVirtualToken,
};

describe('createToken, its accounts', () => {
  const cluster = useCluster();

  describe('Given a mint account that is not blank', () => {
    it('when the token has been created already, then it cannot be created again', async () => {
      const token = await launch(cluster());
      const again = rawCreateToken(token.mint, cluster().payer.publicKey);
      await expectRefused(cluster(), [again], [], LOGICAL);
    });

    it('when another wallet has already initialised the mint, then it is refused', async () => {
      const { payer } = cluster();
      const mint = Keypair.generate();
      const instructions = [
        blankMint(payer.publicKey, mint.publicKey),
        createInitializeMint2Instruction(mint.publicKey, TOKEN_DECIMALS, payer.publicKey, null),
        rawCreateToken(mint.publicKey, payer.publicKey),
      ];
      await expectRefused(cluster(), instructions, [mint], LOGICAL);
    });

    it('when the mint account belongs to Token-2022, then it is refused', async () => {
      await expectMintRefused(82, TOKEN_2022_PROGRAM_ID, '2004 ConstraintOwner');
    });

    it('when the mint account does not exist yet, then it is refused', async () => {
      const { payer } = cluster();
      const instruction = rawCreateToken(Keypair.generate().publicKey, payer.publicKey);
      await expectRefused(cluster(), [instruction], [], '2004 ConstraintOwner');
    });

    it('when the mint account has the size of a token account, then the token program refuses it', async () => {
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
    it('when the rents exceed the remaining lamports, then the System program refuses and nothing is created', async () => {
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

  describe('Given lamports sent to an address before the token is created', () => {
    /** `least` is the rent exemption of an account without data. */
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
        it(`when the ${name} has ${amount}, then the token is still created`, async () => {
          const { connection } = cluster();
          const mint = Keypair.generate();
          const { address } = tokenAddresses(mint.publicKey)[name];
          const { rent, fee } =
            size === undefined ? await metadataCost() : { rent: await rentOf(connection, size), fee: 0n };
          const sent = lamportsFor(rent, await rentOf(connection, 0));
          await cluster().fund(address, sent);
          const { payer } = cluster();
          const instructions = [
            blankMint(payer.publicKey, mint.publicKey),
            rawCreateToken(mint.publicKey, payer.publicKey),
          ];
          const { transaction } = await cluster().send(instructions, [payer, mint]);
          expect(decodeRecords(transaction)).to.have.lengthOf(1);
          const [lamports] = await lamportsOfAll(connection, [address]);
          expect(lamports).to.equal((sent > rent ? sent : rent) + fee);
          await expectWhole(mint.publicKey);
        });
      }

      it(`when the mint has ${amount}, then the SDK still creates the token`, async () => {
        const { connection, payer } = cluster();
        const mint = Keypair.generate();
        const rent = await rentOf(connection, 82);
        const sent = lamportsFor(rent, await rentOf(connection, 0));
        await cluster().fund(mint.publicKey, sent);
        const params = {
          ...TERMS,
          mint: mint.publicKey,
          payer: payer.publicKey,
          mintLamports: sent,
          mintRentLamports: rent,
        };
        await cluster().send(createToken(params), [payer, mint]);
        const [lamports] = await lamportsOfAll(connection, [mint.publicKey]);
        expect(lamports).to.equal(sent > rent ? sent : rent);
        await expectWhole(mint.publicKey);
      });
    }

    /** Checks that the token equals a token created without such lamports. */
    async function expectWhole(mint: PublicKey): Promise<void> {
      const { connection, deployment } = cluster();
      const token = tokenAddresses(mint);
      const curve = await connection.getAccountInfo(token.curve.address);
      expect(decodeTokenOwnerData(curve!.data)).to.include({ initialized: 1, ...reserves });
      expect(await mintAccount(connection, mint)).to.include({ supply: TOKEN_SUPPLY, mintAuthority: null });
      expect(await tokensOf(connection, token.vault.address)).to.equal(TOKEN_SUPPLY);
      expect(await metadataOf(cluster(), token)).to.include({ name: TERMS.name, isMutable: false });
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
});
