// Keypair files as wallets export them and editors save them.
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKeypair } from '../../trader/src/files.js';

describe('a keypair file of curvekit-trade', () => {
  it('may be JSON or base58, in the encodings of editors, and is never quoted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'curvekit-keypair-'));
    const path = join(folder, 'id.json');
    try {
      const keypair = Keypair.generate();
      for (const text of [JSON.stringify([...keypair.secretKey]), bs58.encode(keypair.secretKey)]) {
        const marked = Buffer.from(`\uFEFF${text}\r\n`, 'utf16le');
        const forms = [text, `${text}\n`, `\uFEFF${text}\r\n`, marked, Buffer.from(marked).swap16()];
        for (const form of forms) {
          await writeFile(path, form);
          expect(readKeypair('--keypair', path).publicKey.toBase58()).to.equal(keypair.publicKey.toBase58());
        }
      }
      for (const wrong of [bs58.encode(Buffer.alloc(64, 7)), 'z'.repeat(88), 'I'.repeat(88)]) {
        await writeFile(path, wrong);
        expect(() => readKeypair('--keypair', path))
          .to.throw(/is no keypair|is not JSON/)
          .with.property('message')
          .that.does.not.contain(wrong.slice(0, 10));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
