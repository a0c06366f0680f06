import { ComputeBudgetProgram, type TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import { UnderpaidClaimError, UntrustedTransactionError, type ClaimRequest } from '@curvekit/sdk/rewards';
import { claimTransaction } from '#app/claims/transaction.js';
import { localSigner } from '#app/keys/local-signer.js';
import { rejection } from '#tests/mocha/failures.js';
import bs58 from 'bs58';
import {
  BLOCKHASH,
  wallet,
  treasury,
  payer,
  mint,
  ata,
  own,
  alsoSigned,
  withData,
  transfer,
  send,
  burn,
  close,
  create,
  createIfMissing,
  givenSol,
  givenTokens,
  ofSol,
  ofTokens,
  toBurn,
  compiled,
} from '#tests/service/claim-instructions.js';
import { useClaimCheck } from '#tests/service/claim-check.js';

describe('the claim check before signing', () => {
  const { check, client, signing, answerWith } = useClaimCheck();

  describe('accepts what the service builds:', () => {
    const order = (request: ClaimRequest) => ({
      wallet,
      mint,
      asset: request.claimType,
      amount: 20_000n,
      burn: request.burnToken === true,
    });
    const cases: [string, ClaimRequest, walletHasAccount: boolean][] = [
      ['SOL', ofSol, false],
      ['tokens', ofTokens, true],
      ['tokens, to an account that the claim opens', ofTokens, false],
      ['tokens to burn', toBurn, true],
      ['tokens to burn in an account that the claim opens and closes', toBurn, false],
    ];
    for (const [name, request, walletHasAccount] of cases) {
      it(name, async () => {
        const costs = { blockhash: BLOCKHASH, networkFee: 10_000n, walletHasAccount };
        answerWith(await claimTransaction(localSigner(treasury), order(request), costs));
        check.said = [20_000n];
        const { signature, transaction, amount } = await client().initiate(signing, request);
        expect(signature).to.equal(bs58.encode(transaction.slice(1, 65)));
        expect(amount).to.equal(request.claimType === 'SOL' ? 10_000n : 20_000n);
        expect(check.timesAsked).to.equal(1);
      });
    }
  });

  describe('accepts variations that cost the wallet nothing:', () => {
    const priority = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
    ];
    const cases: [string, ClaimRequest, TransactionInstruction[]][] = [
      ['a priority fee', ofSol, [...priority, givenSol]],
      ['SOL in two parts', ofSol, [givenSol, givenSol]],
      [
        'closing the account with its rent to the wallet',
        toBurn,
        [createIfMissing(), givenTokens, burn(), close(wallet)],
      ],
      [
        'the create instruction with explicit data',
        toBurn,
        [withData(create(), Uint8Array.of(0)), givenTokens, burn(), close(payer)],
      ],
    ];
    for (const [name, request, instructions] of cases) {
      it(name, async () => {
        answerWith(new VersionedTransaction(compiled(instructions)));
        await client().initiate(signing, request);
      });
    }
  });

  describe('compares the amount of the transaction with the amount that the API reported:', () => {
    const MUCH = 2_000_000_000n;
    const gives = (request: ClaimRequest, amount: bigint, ...more: TransactionInstruction[]) => {
      const given = request.claimType === 'SOL' ? transfer(payer, wallet, amount) : undefined;
      const instruction = alsoSigned(given ?? send(ata(payer), own, payer, mint, amount));
      answerWith(new VersionedTransaction(compiled([...more, instruction])));
    };
    const underpaid = (request: ClaimRequest) =>
      rejection(
        client().claim(signing, request, {
          connection: { sendRawTransaction: () => Promise.reject(new Error('it was submitted')) },
          pollMs: 1,
        }),
        UnderpaidClaimError,
      );

    for (const request of [ofSol, ofTokens]) {
      it(`refuses 1 base unit of ${request.claimType} when more is due`, async () => {
        gives(request, 1n);
        check.said = [MUCH, 0n];
        const error = await underpaid(request);
        expect(error).to.be.instanceOf(UntrustedTransactionError);
        expect(error).to.include({ amount: 1n, unclaimed: MUCH, remaining: 0n });
        expect(error.message).to.match(/it gives 1 \w+( \w+)? where the service said that 2000000000 are/);
        expect([check.timesAsked, check.timesSigned]).to.deep.equal([2, 0]);
      });

      it(`accepts less ${request.claimType} when the API reports the rest as still unclaimed`, async () => {
        gives(request, 500_000_000n);
        check.said = [MUCH, 1_500_000_000n];
        expect((await client().initiate(signing, request)).amount).to.equal(500_000_000n);
        check.said = [MUCH, 1_400_000_000n];
        expect((await underpaid(request)).remaining).to.equal(1_400_000_000n);
      });

      it(`trusts the amount of ${request.claimType} that the caller passed, without asking the API`, async () => {
        gives(request, MUCH);
        await client().initiate(signing, { ...request, unclaimed: MUCH });
        expect(check.timesAsked).to.equal(0);
        expect((await underpaid({ ...request, unclaimed: 2n * MUCH })).unclaimed).to.equal(2n * MUCH);
        const wrong = { ...request, unclaimed: 1 as unknown as bigint };
        expect((await rejection(client().initiate(signing, wrong), Error)).message).to.match(
          /^unclaimed is the/,
        );
      });
    }

    it('lets a SOL claim pay its own network fee, and no more', async () => {
      gives(ofSol, MUCH - 10_000n);
      await client().initiate(signing, { ...ofSol, unclaimed: MUCH });
      gives(ofSol, MUCH - 10_001n);
      await underpaid({ ...ofSol, unclaimed: MUCH });
      // 20,000 units at 2 lamports.
      const priority = [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2_000_000 }),
      ];
      gives(ofSol, MUCH - 50_000n, ...priority);
      await client().initiate(signing, { ...ofSol, unclaimed: MUCH });
      gives(ofSol, MUCH - 50_001n, ...priority);
      await underpaid({ ...ofSol, unclaimed: MUCH });
      const dear = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10n ** 12n });
      gives(ofSol, MUCH - 100_000n, dear);
      await client().initiate(signing, { ...ofSol, unclaimed: MUCH });
      gives(ofSol, MUCH - 100_001n, dear);
      await underpaid({ ...ofSol, unclaimed: MUCH });
    });

    it('refuses a token claim that deducts a fee', async () => {
      gives(ofTokens, MUCH - 1n);
      await underpaid({ ...ofTokens, unclaimed: MUCH });
    });
  });
});
