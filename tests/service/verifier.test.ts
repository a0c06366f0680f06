import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { signatureBy } from '#app/signatures/ed25519.js';
import { Verifier } from '#app/signatures/verifier.js';

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

  it('refuses an invalid signature of a cached key', async () => {
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
