import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { signatureBy, verifySignature } from '#app/keys/ed25519.js';

describe('signatures', () => {
  it('are invalid when one bit of them, of the text or of the key has changed', () => {
    const seen = { valid: 0, invalid: 0 };
    for (let index = 0; index < 400; index += 1) {
      const wallet = Keypair.generate();
      const key = Buffer.from(wallet.publicKey.toBytes());
      const text = Buffer.from(`text ${'x'.repeat(index)}`);
      const signature = Buffer.from(signatureBy(wallet, text));
      const changed = [undefined, signature, text, key][index % 4];
      if (changed !== undefined) changed[index % changed.length]! ^= 1 << (index % 8);
      const isValid = verifySignature(key, text, signature);
      expect(isValid, `case ${index}`).to.equal(changed === undefined);
      seen[isValid ? 'valid' : 'invalid'] += 1;
    }
    expect(seen).to.deep.equal({ valid: 100, invalid: 300 });
  });

  it('with a scalar that is not reduced are invalid: the same signature must not come in two forms', () => {
    const wallet = Keypair.generate();
    const text = Buffer.from('1700000000000');
    const signature = Buffer.from(signatureBy(wallet, text));
    // S + L is the same scalar modulo the group's order L.
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order;
    signature.set(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse(), 32);
    const key = wallet.publicKey.toBytes();
    expect(verifySignature(key, text, signature)).to.equal(false);
  });

  it('signatures of another length, and those of a key of another length or off the curve, are invalid', () => {
    const wallet = Keypair.generate();
    const [key, text] = [wallet.publicKey.toBytes(), Buffer.from('1700000000000')];
    const signature = signatureBy(wallet, text);
    expect(verifySignature(key, text, signature)).to.equal(true);
    expect(verifySignature(key.subarray(1), text, signature)).to.equal(false);
    expect(verifySignature(key, text, signature.subarray(1))).to.equal(false);
    expect(verifySignature(new Uint8Array(32).fill(7), text, signature)).to.equal(false);
  });
});
