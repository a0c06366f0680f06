import { createServer, type Server } from 'node:http'; // threat: false-envelope
import type { AddressInfo } from 'node:net';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { ApiError, isRefusal, PartnerClient, type MessageWallet } from '@curvekit/sdk/partner';
import { envelopeOf, ledgerEnvelope } from '#tests/service/envelopes.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { issueKey } from '#app/partners/keys.js';
import type { Database } from '#app/db/database.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { forward, sendOn } from '#tests/network/forward.js';
import { startPartnerService, type PartnerService } from '#tests/service/partner-service.js';

describe('PartnerClient behind a proxy that fails', function () {
  this.timeout(60_000);
  const cluster = useCluster();
  let database: Database;
  let service: PartnerService;
  let front: Server;
  let client: PartnerClient;
  /** The proxy's answer to the next registration, and whether the service gets the request. */
  let failure: { readonly status: number; readonly reaches: boolean } | undefined;
  let registrations = 0;

  before(async () => {
    database = await openTestDatabase();
    service = await startPartnerService({ database, cluster: cluster() });
    front = createServer((request, response) => {
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
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const { key } = await issueKey(service.keys, {
      partner: 'Behind a front',
      payoutWallet: Keypair.generate().publicKey.toBase58(),
    });
    client = new PartnerClient({
      baseUrl: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
      apiKey: key,
    });
  });
  after(async () => {
    await new Promise((resolve) => front?.close(resolve));
    await service?.close();
    await database?.close();
  });
  beforeEach(() => (registrations = 0));

  const newUser = (): MessageWallet => {
    const { publicKey, secretKey } = Keypair.generate();
    return {
      address: publicKey.toBase58(),
      signMessage: (message) => Promise.resolve(signatureBy({ secretKey }, message)),
    };
  };

  for (const status of [502, 503, 504]) {
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
  }

  it('registers wallets that sign the message in an envelope, and no other text in it', async () => {
    const key = Keypair.generate();
    const { publicKey } = key;
    const signing = (envelope: (text: string) => Uint8Array): MessageWallet => ({
      address: publicKey.toBase58(),
      signMessage: (message) => {
        const signedMessage = envelope(Buffer.from(message).toString());
        return Promise.resolve({ signature: signatureBy(key, signedMessage), signedMessage });
      },
    });
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
