// What a partner earns, and PartnerClient with a service and behind a proxy that fails. threat: false-envelope
import { Keypair, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { keypairWallet } from '@curvekit/sdk';
import { PartnerClient, ApiError, isRefusal } from '@curvekit/sdk/partner';
import { RewardsClient } from '@curvekit/sdk/rewards';
import { signatureBy } from '#app/keys/ed25519.js';
import { issueKey } from '#app/partners/keys.js';
import { type Service } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DocumentedAnswers } from '#tests/service/documented-answers.js';
import { eventually, finalize } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { envelopeOf, hardwareWallet, ledgerEnvelope } from '#tests/service/envelopes.js';
import { rejection } from '#tests/mocha/failures.js';
import { serveHttp, type ServedNode } from '#tests/node/serve.js';
import { forward, sendOn } from '#tests/network/forward.js';

const SPENT = 1_000_000_000n;
/** 10 % of the fee, which is 1 % of SPENT. */
const REWARD = 1_000_000n;

/** A partner's payout wallet, and the client of the partner's server. */
interface PartnerActor {
  readonly client: PartnerClient;
  readonly payoutWallet: Keypair;
}

describe("a partner's rewards and PartnerClient", () => {
  const cluster = useCluster();
  let service: Service;
  let token: Token;
  let fetch: typeof globalThis.fetch;

  before(async () => {
    const environment = { RATE_LIMIT_REQUESTS: '1000000', SETTLEMENT_INTERVAL_SECONDS: '0' };
    service = await startTestService(cluster(), environment);
    ({ fetch } = new DocumentedAnswers(service.document));
    token = await launch(cluster());
  });
  after(() => service.stop());

  async function newPartner(name: string): Promise<PartnerActor> {
    const payoutWallet = Keypair.generate();
    const { key } = await issueKey(service.context, {
      partner: name,
      payoutWallet: payoutWallet.publicKey.toBase58(),
    });
    return { client: new PartnerClient({ baseUrl: service.url, fetch, apiKey: key }), payoutWallet };
  }

  const rewardsOf = (wallet: Keypair) =>
    new RewardsClient({ baseUrl: service.url, fetch }).rewards(keypairWallet(wallet));
  const unclaimedOf = async (wallet: Keypair, mint: PublicKey) =>
    (await rewardsOf(wallet)).find(({ tokenInfo }) => tokenInfo.address === mint.toBase58())?.unclaimedRewards
      .sol ?? 0n;

  it('earn nothing for trades before the registration, or for trades of other wallets', async () => {
    const { client, payoutWallet } = await newPartner('Late');
    const [user, other] = (await cluster().fundedWallets(2)) as [Keypair, Keypair];
    await buyTokens(cluster(), token, user, SPENT);
    await client.registerUser(keypairWallet(user));
    await buyTokens(cluster(), token, other, SPENT);
    await buyTokens(cluster(), token, user, 2n * SPENT);
    await finalize(cluster());
    await eventually(async () => (await client.stats()).trades === 1n, 'the trade to be booked', 60_000);
    expect(await unclaimedOf(payoutWallet, token.mint)).to.equal(2n * REWARD);
  });

  describe('PartnerClient', () => {
    it('lists every user, page by page', async () => {
      const { client } = await newPartner('Many');
      const users = Array.from({ length: 101 }, () => Keypair.generate());
      for (const user of users) await client.registerUser(keypairWallet(user));
      const listed: string[] = [];
      for await (const { publicKey } of client.allUsers()) listed.push(publicKey);
      expect(listed.sort()).to.deep.equal(users.map(({ publicKey }) => publicKey.toBase58()).sort());
      const first = await client.users({ limit: 2 });
      expect(first.users).to.have.length(2);
      expect(first.nextCursor).to.be.a('string');
    });
  });

  describe('PartnerClient behind a proxy that fails', () => {
    let front: ServedNode;
    let client: PartnerClient;
    /** The proxy's answer to the next registration, and whether the service gets the request. */
    let failure: { readonly status: number; readonly reaches: boolean } | undefined;
    let registrations = 0;

    before(async () => {
      front = await serveHttp((request, response) => {
        void (async () => {
          const isRegistration = request.url?.endsWith('/auth/register') === true;
          if (isRegistration) registrations += 1;
          const failing = isRegistration ? failure : undefined;
          if (failing === undefined) return forward(request, response, service.url);
          failure = undefined;
          // As if the service had lost its database in the middle of the commit.
          if (failing.reaches) await sendOn(request, service.url);
          const body = JSON.stringify({ error: 'SERVICE_UNAVAILABLE', message: 'Try again later' });
          response
            .writeHead(failing.status, { 'content-type': 'application/json', 'retry-after': '0' })
            .end(body);
        })();
      });
      const { key } = await issueKey(service.context, {
        partner: 'Behind a front',
        payoutWallet: Keypair.generate().publicKey.toBase58(),
      });
      client = new PartnerClient({ baseUrl: front.url, apiKey: key });
    });
    after(() => front?.stop());
    beforeEach(() => (registrations = 0));

    const newUser = () => keypairWallet(Keypair.generate());

    for (const status of [502, 503, 504])
      it(`sends a registration again if the answer is ${status}, whether or not the service had got it`, async () => {
        for (const reaches of [true, false]) {
          registrations = 0;
          failure = { status, reaches };
          const user = newUser();
          await client.registerUser(user);
          expect(registrations).to.equal(2);
          expect((await client.user(user.address)).publicKey).to.equal(user.address);
          const refused = await rejection(client.registerUser(user), ApiError);
          expect(isRefusal(refused, 'ALREADY_REGISTERED')).to.equal(true);
          expect(isRefusal(refused, 'INVALID_NONCE')).to.equal(false);
        }
        const stranger = await rejection(client.user(Keypair.generate().publicKey), ApiError);
        expect(isRefusal(stranger, 'USER_NOT_FOUND')).to.equal(true);
      });

    it('registers wallets that sign the message in an envelope, and no other text in it', async () => {
      const key = Keypair.generate();
      const { publicKey } = key;
      const signing = (envelope: (text: string) => Uint8Array) => hardwareWallet(key, envelope);
      const domain = Buffer.alloc(32, 5);
      const other = Keypair.generate().publicKey;
      const wrong = [
        (text: string) => envelopeOf({ text, format: 1, signers: [other], domain }),
        (text: string) => envelopeOf({ text, format: 0, signers: [publicKey], domain }),
        (text: string) => ledgerEnvelope({ text, format: 1, length: 1 }),
      ];
      for (const envelope of wrong) {
        const refused = await rejection(client.registerUser(signing(envelope)), ApiError);
        expect(isRefusal(refused, 'INVALID_SIGNATURE')).to.equal(true);
      }
      await client.registerUser(
        signing((text) => envelopeOf({ text, format: 1, signers: [publicKey], domain })),
      );
      // A partner that passes the signature alone.
      const silent = Keypair.generate();
      await client.registerUser({
        address: silent.publicKey.toBase58(),
        signMessage: (message) => {
          const text = Buffer.from(message).toString();
          return Promise.resolve(signatureBy(silent, ledgerEnvelope({ text, format: 1 })));
        },
      });
    });

    it('retries a registration that was refused by the rate limit', async () => {
      failure = { status: 429, reaches: false };
      await client.registerUser(newUser());
      expect(registrations).to.equal(2);
    });
  });
});
