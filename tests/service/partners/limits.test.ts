// A rate limit that the operator sets for a partner's key. It counts per key, and only requests with the key's secret. threat: partner-limit
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { formatApiKey, parseApiKey } from '#app/partners/api-key.js';
import { describeKeys, issueKey, rotateKey } from '#app/partners/keys.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { useDatabase } from '#tests/database/database.js';
import { startPartnerService, type Answer, type PartnerService } from '#tests/service/partner-service.js';

const VERSION = '/v1/internal';
const OF_ADDRESS = 4;
const OF_KEY = 10;

describe("rate limits of partners' keys", () => {
  const cluster = useCluster();
  const database = useDatabase({ each: true });
  let service: PartnerService;
  let partners = 0;

  beforeEach(async () => {
    service = await startPartnerService({
      database,
      cluster: cluster(),
      requests: OF_ADDRESS,
      trustProxy: 1,
    });
  });
  afterEach(() => service.close());

  async function newKey(requestLimit?: number) {
    partners += 1;
    const payoutWallet = Keypair.generate().publicKey.toBase58();
    return issueKey(service.keys, {
      partner: `Partner ${partners}`,
      payoutWallet,
      requestLimit,
    });
  }

  const ask = (key: string, from: string): Promise<Answer> =>
    service.call('GET', VERSION, { headers: { 'x-api-key': key, 'X-Forwarded-For': from } });
  const statuses = async (key: string, from: (index: number) => string, count: number) => {
    const all: number[] = [];
    for (let index = 0; index < count; index += 1) all.push((await ask(key, from(index))).status);
    return all;
  };
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);
  /** The key's id with a made-up secret, as an attacker can send it. */
  const forged = (key: string) => formatApiKey({ id: parseApiKey(key)!.id, secret: 'ab'.repeat(32) });

  it('count per key instead of per address, and appear in the headers', async () => {
    const { key } = await newKey(OF_KEY);
    const { headers } = await ask(key, '192.0.2.1');
    expect(headers.get('ratelimit-limit')).to.equal('10');
    expect(headers.get('ratelimit-policy')).to.equal('10;w=900');
    expect(headers.get('ratelimit-remaining')).to.equal('9');
    expect(await statuses(key, (index) => `192.0.2.${index}`, OF_KEY)).to.deep.equal([
      ...times(OF_KEY - 1, 200),
      429,
    ]);
    const over = await ask(key, '198.51.100.1');
    expect(over.body).to.deep.equal({
      message: 'Too many requests with this API key; try again later',
      error: 'RATE_LIMIT_EXCEEDED',
      statusCode: '429',
    });
    expect(Number(over.headers.get('retry-after'))).to.be.within(1, 900);
    // Another key at the same address has its own limit. A key without a limit shares the limit of the address.
    const other = await newKey(OF_KEY);
    // Instances notice a new key within a second.
    service.advance(1_000);
    expect(await statuses(other.key, () => '192.0.2.1', OF_ADDRESS + 2)).to.deep.equal(
      times(OF_ADDRESS + 2, 200),
    );
    expect(await statuses((await newKey()).key, () => '192.0.2.1', OF_ADDRESS + 1)).to.deep.equal([
      ...times(OF_ADDRESS, 200),
      429,
    ]);
  });

  it('do not apply to a wrong secret: such requests count per address, not against the key', async () => {
    const { key } = await newKey(OF_KEY);
    expect(await statuses(forged(key), () => '203.0.113.9', OF_ADDRESS + 3)).to.deep.equal([
      ...times(OF_ADDRESS, 401),
      ...times(3, 429),
    ]);
    const { headers } = await ask(key, '192.0.2.1');
    expect(headers.get('ratelimit-remaining')).to.equal(String(OF_KEY - 1));
    // Also from the attacker's own address.
    expect((await ask(key, '203.0.113.9')).status).to.equal(200);
  });

  it('carry over to a rotated key, and are listed', async () => {
    const { id } = await newKey(OF_KEY);
    await newKey();
    const { issued } = await rotateKey(service.keys, id, { overlapSeconds: 0 });
    expect((await describeKeys(service.keys)).map(({ requestLimit }) => requestLimit)).to.deep.equal([
      OF_KEY,
      OF_KEY,
      null,
    ]);
    expect((await ask(issued.key, '192.0.2.1')).headers.get('ratelimit-limit')).to.equal(String(OF_KEY));
  });

  it('still count while the database is down, because no request over the limit reads it', async () => {
    const { key } = await newKey(OF_KEY);
    const unknown = formatApiKey({ id: '0'.repeat(16), secret: 'cd'.repeat(32) });
    await statuses(key, () => '192.0.2.1', OF_KEY);
    for (const [sent, from] of [
      [unknown, '203.0.113.9'],
      [forged(key), '203.0.113.8'],
    ] as const)
      await statuses(sent, () => from, OF_ADDRESS);
    await database.close();
    service.advance(5_000);
    expect((await ask(key, '192.0.2.1')).status).to.equal(429);
    expect((await ask(unknown, '203.0.113.9')).status).to.equal(429);
    expect((await ask(forged(key), '203.0.113.8')).status).to.equal(429);
  });
});
