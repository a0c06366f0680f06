// Refusals of a signer that pays claims itself.
import { expect } from 'chai';
import { ZodError } from 'zod';
import type { ClaimRequest } from '#app/claims/claims.js';
import { ClaimRefusedError, REFUSALS, type ClaimRefusal } from '#app/claims/refusal.js';
import { remoteClaims } from '#app/claims/remote-claims.js';
import { SignerError } from '#app/keys/signer.js';
import { rejection } from '#tests/mocha/failures.js';

const NOTHING_CAN_BE_PAID = 'Nothing can be paid at the moment; try again later';
const SIGNER_AWAY = new SignerError('timeout', 'the signer does not answer: start it');

describe('claims of a signer that pays them itself', () => {
  const request: ClaimRequest = {
    ...{ wallet: 'wallet', mint: 'mint', asset: 'SOL', burn: false, idempotencyKey: 'key' },
  };
  const initiate = (answer: () => Promise<Readonly<Record<string, unknown>>>) =>
    remoteClaims(answer).initiate(request);

  it('are asked for as they came, and their transaction is returned', async () => {
    const asked: object[] = [];
    const claims = remoteClaims((given) => {
      asked.push(given);
      return Promise.resolve({ transaction: 'AAAA' });
    });
    expect(await claims.initiate(request)).to.equal('AAAA');
    expect(asked).to.deep.equal([request]);
  });

  it('are refused as the signer refuses them', async () => {
    for (const refusal of Object.keys(REFUSALS) as ClaimRefusal[]) {
      const answer = { refusal, message: `because of ${refusal}` };
      const error = await rejection(
        initiate(() => Promise.resolve(answer)),
        ClaimRefusedError,
      );
      expect([error.refusal, error.message]).to.deep.equal([refusal, answer.message]);
    }
  });

  it('are unavailable while the signer is, and the cause says why', async () => {
    const error = await rejection(
      initiate(() => Promise.reject(SIGNER_AWAY)),
      ClaimRefusedError,
    );
    expect([error.refusal, error.message]).to.deep.equal(['unavailable', NOTHING_CAN_BE_PAID]);
    expect(error.cause).to.equal(SIGNER_AWAY);
  });

  it('fail with any other error as it is', async () => {
    const bug = new Error('a bug');
    expect(
      await rejection(
        initiate(() => Promise.reject(bug)),
        Error,
      ),
    ).to.equal(bug);
  });

  it('fail when the signer answers anything else', async () => {
    for (const answer of [
      {},
      { transaction: 'not base64!' },
      { refusal: 'none of ours', message: '' },
      { transaction: 'AAAA', refusal: 'later', message: '' },
    ])
      await rejection(
        initiate(() => Promise.resolve(answer)),
        ZodError,
      );
  });
});
