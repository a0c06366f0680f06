// What the routes of claims accept.
import { expect } from 'chai';
import { claimAsset, claimHeaders, claimRequest } from '#app/claims/schemas.js';
import { newAddress } from '#tests/new-address.js';

const { 'idempotency-key': keySchema } = claimHeaders.shape;

describe('the schemas of claims', () => {
  it('burn nothing unless the wallet says so', () => {
    const claim = { tokenAddress: newAddress(), claimType: 'TOKEN' };
    expect(claimRequest.parse(claim)).to.deep.equal({ ...claim, burnToken: false });
    expect(claimRequest.parse({ ...claim, burnToken: true }).burnToken).to.equal(true);
    expect(claimRequest.safeParse({ ...claim, burnToken: 'true' }).success).to.equal(false);
    expect(claimRequest.safeParse({ ...claim, amount: '1' }).success).to.equal(false);
    expect(claimRequest.safeParse({ ...claim, tokenAddress: 'x' }).success).to.equal(false);
  });

  it('know two assets', () => {
    expect(claimAsset.options).to.deep.equal(['SOL', 'TOKEN']);
  });

  it('take an idempotency key of 1 to 255 visible characters, or none', () => {
    for (const key of [undefined, '!', '~', 'a'.repeat(255), '0a-B_c.9'])
      expect(keySchema.safeParse(key).success, key).to.equal(true);
    for (const key of ['', ' ', 'a b', ' a', 'a ', 'a\n', 'ä', '\x7f', 'a'.repeat(256)]) {
      const { error } = keySchema.safeParse(key);
      expect(
        error?.issues.map(({ message }) => message),
        key,
      ).to.deep.equal(['must be 1 to 255 visible ASCII characters']);
    }
  });
});
