import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { signatureBy } from '#app/signatures/ed25519.js';
import { Verifier } from '#app/signatures/verifier.js';
import { VERIFIED_BY, verifySignature, verifyWithNode } from '../../../app/src/signatures/verify.mjs';

describe('Verifier', () => {
  const wallet = Keypair.generate();
  const key = wallet.publicKey.toBytes();
  const message = Buffer.from('1700000000000');
  const signature = signatureBy(wallet, message);

  const verifiers: Verifier[] = [];
  const start = (threads?: number) => {
    const verifier = new Verifier(threads);
    verifiers.push(verifier);
    return verifier;
  };
  afterEach(() => Promise.all(verifiers.splice(0).map((verifier) => verifier.close())));

  it('distinguishes valid from invalid signatures in concurrent requests', async () => {
    const verifier = start(3);
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const own = Buffer.from('x'.repeat(index));
        const signed = signatureBy(wallet, own);
        if (index % 3 === 1) signed[index % 64]! ^= 1;
        return verifier.verify(key, index % 3 === 2 ? Buffer.from('another') : own, signed);
      }),
    );
    expect(results).to.deep.equal(Array.from({ length: 100 }, (_, index) => index % 3 === 0));
  });

  it('refuses an invalid signature of a key that has signed before', async () => {
    const verifier = start(1);
    const forged = signatureBy(Keypair.generate(), message);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await verifier.verify(key, message, signature)).to.equal(true);
      expect(await verifier.verify(key, message, forged)).to.equal(false);
      expect(await verifier.verify(key, Buffer.from('another'), signature)).to.equal(false);
    }
  });

  it('refuses keys and signatures of another length, and keys off the curve', async () => {
    const verifier = start();
    expect(await verifier.verify(key, message, signature)).to.equal(true);
    expect(await verifier.verify(key.subarray(1), message, signature)).to.equal(false);
    expect(await verifier.verify(key, message, signature.subarray(1))).to.equal(false);
    expect(await verifier.verify(new Uint8Array(32).fill(7), message, signature)).to.equal(false);
  });

  it('answers pending requests when it closes', async () => {
    const verifier = start(1);
    const asked = Array.from({ length: 50 }, () => verifier.verify(key, message, signature));
    // The requests are on their way to the thread, or in progress there.
    await new Promise((resolve) => setImmediate(resolve));
    await verifier.close();
    expect(await Promise.all(asked)).to.deep.equal(Array.from({ length: 50 }, () => true));
    expect(await verifier.verify(key, message, signature)).to.equal(true);
  });
});

describe('signatures', () => {
  it('are verified by libsodium here', () => expect(VERIFIED_BY).to.equal('libsodium'));

  it('are valid for libsodium when they are for Node, and also when one bit of them, of the text or of the key has changed', () => {
    const seen = { valid: 0, invalid: 0 };
    for (let index = 0; index < 400; index += 1) {
      const wallet = Keypair.generate();
      const key = Buffer.from(wallet.publicKey.toBytes());
      const text = Buffer.from(`text ${'x'.repeat(index)}`);
      const signature = Buffer.from(signatureBy(wallet, text));
      const changed = [undefined, signature, text, key][index % 4];
      if (changed !== undefined) changed[index % changed.length]! ^= 1 << (index % 8);
      const isValid = verifySignature(key, text, signature);
      expect(isValid, `case ${index}`)
        .to.equal(verifyWithNode(key, text, signature))
        .and.equal(changed === undefined);
      seen[isValid ? 'valid' : 'invalid'] += 1;
    }
    expect(seen).to.deep.equal({ valid: 100, invalid: 300 });
  });

  it('with a scalar that is not reduced are invalid for both: the same signature must not come in two forms', () => {
    const wallet = Keypair.generate();
    const text = Buffer.from('1700000000000');
    const signature = Buffer.from(signatureBy(wallet, text));
    // S + L is the same scalar modulo the group's order L.
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order;
    signature.set(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse(), 32);
    const key = wallet.publicKey.toBytes();
    expect([verifySignature(key, text, signature), verifyWithNode(key, text, signature)]).to.deep.equal([
      false,
      false,
    ]);
  });
});
