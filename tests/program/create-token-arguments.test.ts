import { ComputeBudgetProgram, Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  compileTransaction,
  createToken,
  decodeRecords,
  decodeTokenOwnerData,
  InvalidArgumentError,
  LOGGING_AUTHORITY_BUMP,
  tokenAddresses,
  type CreateTokenArgs,
} from '@curvekit/sdk';
import { withData } from '#tests/program/altered.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { nonCanonicalCurve } from '#tests/program/non-canonical.js';
import { blankMint, rawCreateToken } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { launch, TERMS } from '#tests/program/tokens.js';
import { LOGICAL, MATCH } from '#tests/program/refusals.js';
import { metadataOf } from '#tests/program/metadata.js';
import { MINT_RENT } from '#tests/constants.js';

describe('createToken, its arguments', () => {
  const cluster = useCluster();

  async function expectCreateRefused(args: Partial<CreateTokenArgs>, expected: string): Promise<void> {
    const { payer } = cluster();
    const mint = Keypair.generate();
    const instruction = rawCreateToken(mint.publicKey, payer.publicKey, { args });
    const instructions = [blankMint(payer.publicKey, mint.publicKey), instruction];
    await expectRefused(cluster(), instructions, [mint], expected);
  }

  describe('Given names, symbols and URIs at their limits', () => {
    const fields = [
      ['name', 32],
      ['symbol', 10],
      ['uri', 200],
    ] as const;

    for (const [field, limit] of fields) {
      it(`when the ${field} has ${limit} bytes, then all of them are on chain`, async () => {
        const text = 'x'.repeat(limit);
        const token = await launch(cluster(), { [field]: text });
        expect((await metadataOf(cluster(), token))[field]).to.equal(text);
        const [record] = decodeRecords(token.created.transaction);
        expect(record!.data).to.have.property(field, text);
      });

      for (const [what, text] of [
        [`has ${limit + 1} bytes`, 'x'.repeat(limit + 1)],
        ['is empty', ''],
      ] as const) {
        it(`when the ${field} ${what}, then the program refuses it and nothing is created`, () =>
          expectCreateRefused({ [field]: text }, LOGICAL));

        it(`when the ${field} ${what}, then the SDK refuses it first and names the argument`, async () => {
          const error = await rejection(launch(cluster(), { [field]: text }), InvalidArgumentError);
          expect(error.argument).to.equal(field);
        });
      }
    }

    it('when emoji fill all fields to the last byte, then they are on chain', async () => {
      const terms = { name: '🚀'.repeat(8), symbol: '🌕🌕!!', uri: `https://example.org/${'🪙'.repeat(45)}` };
      expect([terms.name, terms.symbol, terms.uri].map((text) => Buffer.byteLength(text))).to.deep.equal([
        32, 10, 200,
      ]);
      const token = await launch(cluster(), terms);
      expect(await metadataOf(cluster(), token)).to.deep.include(terms);
      expect(decodeRecords(token.created.transaction)[0]!.data).to.deep.include(terms);
    });

    it('when one more emoji exceeds the limit in bytes but not in characters, then it is refused', async () => {
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

    it('when all fields have their maximum length, then the transaction with its compute budget fits 1,232 bytes', async () => {
      const { payer } = cluster();
      const mint = Keypair.generate();
      const terms = { name: 'n'.repeat(32), symbol: 's'.repeat(10), uri: 'u'.repeat(200) };
      const instructions = [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10_000 }),
        ...createToken({
          ...TERMS,
          mintRentLamports: MINT_RENT,
          ...terms,
          mint: mint.publicKey,
          payer: payer.publicKey,
        }),
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
      // The sum exceeds u16: 65,535 + 1 + 0 would wrap to 0.
      [65_535, 1, 0],
      [65_535, 65_535, 65_535],
    ] as const) {
      it(`when the shares are ${burn}, ${holders} and ${lp}, more than 100 % in total, then they are refused`, () =>
        expectCreateRefused(shares(burn, holders, lp), LOGICAL));
    }
  });

  describe('Given bumps that are not canonical', () => {
    it('when pdaTokenNonce is not the canonical bump, then the curve does not match the mint', async () => {
      const { payer } = cluster();
      const mint = Keypair.generate();
      const { bump } = tokenAddresses(mint.publicKey).curve;
      for (const pdaTokenNonce of [bump - 1, bump === 255 ? 0 : bump + 1, 0]) {
        const instruction = rawCreateToken(mint.publicKey, payer.publicKey, { args: { pdaTokenNonce } });
        const instructions = [blankMint(payer.publicKey, mint.publicKey), instruction];
        await expectRefused(cluster(), instructions, [mint], MATCH);
      }
    });

    it('when a lower nonce comes with the address that it derives, then the program refuses it', async () => {
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
});
