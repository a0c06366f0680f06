// RewardsClient: reads of rewards, signatures, and the errors it throws. threat: false-time
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { keypairWallet } from '@curvekit/sdk';
import { ApiError, isRefusal, OtherMessageSignedError, RewardsClient } from '@curvekit/sdk/rewards';
import { InvalidArgumentError } from '@curvekit/sdk';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { envelopeOf, ledgerEnvelope } from '#tests/service/envelopes.js';
import { U64_MAX } from '#tests/constants.js';
import { useRewardsClient } from '#tests/service/rewards-client.js';

describe(`RewardsClient (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const { scene, client, rewarded, ofSol } = useRewardsClient();

  it('reads rewards of any size, with either signature scheme', async () => {
    const wallet = await rewarded('TOKEN', U64_MAX);
    for (const scheme of ['bound', 'timestamp'] as const) {
      const { url, answers } = scene().api;
      const [entry] = await new RewardsClient({ baseUrl: url, fetch: answers.fetch, scheme }).rewards(wallet);
      expect(entry?.unclaimedRewards).to.deep.equal({
        sol: 0n,
        solUi: '0',
        token: U64_MAX,
        tokenUi: '18446744073709.551615',
      });
      expect(entry?.tokenInfo.address).to.equal(scene().mint);
    }
    for (const address of [scene().token.mint, scene().mint]) {
      const { allTimeRewards } = await client().rewardsOf(wallet, address);
      expect(allTimeRewards.token).to.equal(U64_MAX);
    }
    const refusal = await rejection(client().rewardsOf(wallet, 'abc'), InvalidArgumentError);
    expect(refusal.message).to.equal('tokenAddress is "abc"; give an address, 32 bytes in base58');
  });

  it('signs with the time of the service when the clock of the device is wrong', async () => {
    const { url, answers } = scene().api;
    const wallet = keypairWallet(Keypair.generate());
    for (const wrongMs of [31_000, 120_000, -360_000, 3_600_000, -80_000_000]) {
      let signed = 0;
      const signer = {
        ...wallet,
        signMessage: (message: Uint8Array) => {
          signed += 1;
          return wallet.signMessage(message);
        },
      };
      const now = () => Date.now() + wrongMs;
      const ofDevice = new RewardsClient({ baseUrl: url, fetch: answers.fetch, now });
      expect(await ofDevice.rewards(signer), `${wrongMs} ms`).to.deep.equal([]);
      expect(signed, 'signatures of the first request').to.equal(2);
      expect(await ofDevice.rewards(signer)).to.deep.equal([]);
      expect(signed, 'signatures of both').to.equal(3);
    }
    // A service that names a far future gets no signature for it.
    const far = new RewardsClient({
      baseUrl: url,
      fetch: answers.fetch,
      now: () => Date.now() - 2 * 86_400_000,
    });
    const refusal = await rejection(far.rewards(wallet), ApiError);
    expect(refusal.code).to.equal('INVALID_SIGNATURE');
    expect(refusal.message).to.match(/X-Timestamp is 172\d+ s behind the service's clock/);
    // A refusal for another reason is not tried again.
    let asked = 0;
    const stranger = { ...wallet, signMessage: () => ((asked += 1), Promise.resolve(new Uint8Array(64))) };
    await rejection(client().rewards(stranger), ApiError);
    expect(asked).to.equal(1);
  });

  it('takes the envelopes that hardware wallets sign', async () => {
    const key = Keypair.generate();
    const { publicKey } = key;
    const wallet = (envelope: (text: string) => Uint8Array) => ({
      address: publicKey.toBase58(),
      signMessage: (message: Uint8Array) => {
        const signedMessage = envelope(Buffer.from(message).toString());
        return Promise.resolve({ signature: signatureBy(key, signedMessage), signedMessage });
      },
    });
    const domain = Buffer.alloc(32, 9);
    const good = [
      (text: string) => Buffer.from(text),
      (text: string) => ledgerEnvelope({ text, format: 1 }),
      (text: string) => envelopeOf({ text, format: 1, signers: [publicKey], domain }),
    ];
    for (const envelope of good) expect(await client().rewards(wallet(envelope))).to.deep.equal([]);
    const bad = [
      (text: string) => Buffer.from(`${text} `),
      (text: string) => Buffer.from(`x${text}`),
      (text: string) => ledgerEnvelope({ text: `${text} `, format: 1 }),
      (text: string) => ledgerEnvelope({ text, version: 1 }),
      () => new Uint8Array(),
    ];
    for (const envelope of bad) await rejection(client().rewards(wallet(envelope)), OtherMessageSignedError);
  });

  it('throws errors with the code, the fields and the request id', async () => {
    const wallet = keypairWallet(Keypair.generate());
    const nothing = await rejection(client().initiate(wallet, ofSol()), ApiError);
    expect(isRefusal(nothing, 'CLAIM_ERROR')).to.equal(true);
    expect(nothing.status).to.equal(400);
    expect(nothing.requestId).to.match(/^[\w-]+$/);
    const bad = await rejection(client().status('short'), ApiError);
    expect([bad.code, bad.fields.map(({ field }) => field)]).to.deep.equal([
      'VALIDATION_ERROR',
      ['signature'],
    ]);
    const imposter = { ...wallet, address: Keypair.generate().publicKey.toBase58() };
    expect(isRefusal(await rejection(client().rewards(imposter), ApiError), 'INVALID_SIGNATURE')).to.equal(
      true,
    );
  });
});
