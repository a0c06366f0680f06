// Which bodies of claim requests, and which spellings of addresses, the Rewards Claiming API accepts.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { DATABASE_KIND } from '#tests/database/database.js';
import { signed } from '#tests/service/rewards.js';
import { expectError, useRewards } from '#tests/service/rewards-reads.js';

describe(`requests to the Rewards Claiming API (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const { scene, wallet, address, rewards } = useRewards();

  describe('POST /rewards/:address/initiate', () => {
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      scene().api.post(`/rewards/${address}/initiate`, body, { ...signed(wallet), ...headers });
    const good = () => ({ tokenAddress: scene().mint, claimType: 'SOL' });

    it('names every missing, wrong or unknown field', async () => {
      expectError(await post({}), 400, 'VALIDATION_ERROR', 'tokenAddress', 'claimType');
      expectError(
        await post({ tokenAddress: 7, claimType: null, burnToken: 'yes', amount: 1 }),
        400,
        'VALIDATION_ERROR',
        'tokenAddress',
        'claimType',
        'burnToken',
        'amount',
      );
      expectError(
        // One byte too many: a leading 1 decodes to a zero byte.
        await post({ ...good(), tokenAddress: `1${scene().mint}` }),
        400,
        'VALIDATION_ERROR',
        'tokenAddress',
      );
    });

    it('accepts only the claim types SOL and TOKEN', async () => {
      for (const claimType of ['NFT', 'sol', 'SOL ', 'Token', '', 'toString']) {
        expectError(await post({ ...good(), claimType }), 400, 'CLAIM_ERROR');
      }
    });

    it('accepts only JSON objects', async () => {
      for (const body of [
        '',
        '{',
        'null',
        '[]',
        '"text"',
        '7',
        '{"a":1}}',
        Uint8Array.of(0x7b, 0xff, 0x7d),
      ]) {
        expectError(await post(body), 400, 'VALIDATION_ERROR', 'body');
      }
      expectError(
        await post('{"__proto__":{"claimType":"SOL"},"constructor":1}'),
        400,
        'VALIDATION_ERROR',
        'tokenAddress',
        'claimType',
        '__proto__',
        'constructor',
      );
    });

    it('accepts uncompressed JSON bodies of up to 16 KiB', async () => {
      const padded = (size: number, body: object = good()) => JSON.stringify(body).padEnd(size, ' ');
      const unknown = { ...good(), tokenAddress: Keypair.generate().publicKey.toBase58() };
      expectError(await post(padded(16_384, unknown)), 404, 'TOKEN_NOT_FOUND');
      expectError(await post(padded(16_385)), 413, 'VALIDATION_ERROR', 'body');
      expectError(await post(padded(1_000_000)), 413, 'VALIDATION_ERROR', 'body');
      expectError(
        await post(good(), { 'content-type': 'text/plain' }),
        415,
        'VALIDATION_ERROR',
        'Content-Type',
      );
      expectError(
        await post(good(), { 'content-encoding': 'gzip' }),
        415,
        'VALIDATION_ERROR',
        'Content-Encoding',
      );
    });
  });

  describe('authentication', () => {
    it('accepts only one spelling of a wallet and of a token', async () => {
      const odd = (text: string) => [
        text.toLowerCase(),
        text.toUpperCase(),
        `1${text}`,
        `${text}1`,
        ` ${text}`,
        `${text}\n`,
        `${text}\u0000`,
        text.replace(/^./, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
        text.slice(0, -1),
        `0x${Buffer.from(bs58.decode(text)).toString('hex')}`,
      ];
      for (const spelling of odd(address)) {
        const answer = await rewards(signed(wallet), encodeURIComponent(spelling));
        expect(answer.status, spelling).to.be.oneOf([400, 401]);
      }
      for (const spelling of odd(scene().mint)) {
        const path = `/rewards/${address}/tokens/${encodeURIComponent(spelling)}`;
        const answer = await scene().api.get(path, { headers: signed(wallet) });
        expect(answer.status, spelling).to.be.oneOf([400, 404]);
        const body = { tokenAddress: spelling, claimType: 'SOL' };
        const claim = await scene().api.post(`/rewards/${address}/initiate`, body, signed(wallet));
        expect(claim.status, spelling).to.be.oneOf([400, 404]);
      }
    });
  });
});
