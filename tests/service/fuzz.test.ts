// Whatever is sent, the service answers as its document says, and never with a fault of its own.
import { expect } from 'chai';
import fc from 'fast-check';
import { Keypair } from '@solana/web3.js';
import { issueKey } from '../../app/src/partner/keys.js';
import type { ApiCall } from '../support/api-client.js';
import { useCluster } from '../support/cluster.js';
import { DATABASE_KIND } from '../support/database.js';
import { reward, signed, startRewardsScene, type RewardsScene } from '../support/rewards.js';

const REQUESTS = 20_000;
/** Sent at once. */
const BATCH = 40;

interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

describe(`the service under 20,000 random requests (${DATABASE_KIND})`, function () {
  this.timeout(600_000);
  const cluster = useCluster();
  const wallet = Keypair.generate();
  let scene: RewardsScene;
  let apiKey: string;

  before('start the service', async () => {
    scene = await startRewardsScene(cluster());
    await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', 1_000_000_000n);
    const { database } = scene;
    const payoutWallet = Keypair.generate().publicKey.toBase58();
    apiKey = (
      await issueKey(
        { database, now: Date.now },
        { partner: 'fuzz', payoutWallet, scopes: ['users:write', 'users:read', 'stats:read'] },
      )
    ).key;
  });
  after(() => scene?.stop());

  it('is never at fault, and answers as documented', async () => {
    const requests = requestsOf(scene.api.document as OpenApi, {
      addresses: [wallet.publicKey.toBase58(), scene.mint, '1'.repeat(32)],
      credentials: [signed(wallet), { 'x-api-key': apiKey }],
    });
    let sent = 0;
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
        await Promise.all(
          batch.map(async ({ method, path, headers, body }) => {
            const call: ApiCall = { headers, ...(body === undefined ? {} : { body }) };
            const { status, text } = await scene.api.call(method, path, call);
            sent += 1;
            seen.add(status);
            if (status >= 500 || /\bat .*\.ts:\d/.test(text)) throw new Error(`${status} ${text}`);
          }),
        );
      }),
      { numRuns: REQUESTS / BATCH, endOnFailure: true },
    );
    expect(sent).to.be.at.least(REQUESTS);
    // It got past the first checks, and met all the others.
    expect([...seen]).to.include.members([200, 400, 401, 404, 405, 413, 415]);
  });
});

function requestsOf(
  document: OpenApi,
  known: { readonly addresses: readonly string[]; readonly credentials: readonly Record<string, string>[] },
): fc.Arbitrary<FuzzedRequest> {
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : (document.components?.schemas?.[schema.$ref.split('/').at(-1)!] ?? {});
  const garbage = fc.oneof(
    fc.string({ maxLength: 100 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.base64String({ maxLength: 120 }),
    fc.constantFrom('0', '-1', 'null', '..', "' or 1=1 --", 'a'.repeat(2_000), '\u0000', '%', '1'.repeat(88)),
  );
  const address = fc.oneof(fc.constantFrom(...known.addresses), garbage);
  const pathPart = address.filter(
    (text) => text !== '' && text !== '.' && text !== '..' && isEncodable(text),
  );
  const headerText = fc
    .oneof(garbage, fc.nat().map(String))
    .map((text) => text.replace(/[^\x20-\x7e]/g, '').trim());

  const valueOf = (schema: Schema): fc.Arbitrary<unknown> => {
    const { enum: words, type } = resolve(schema);
    if (words !== undefined) return fc.oneof(fc.constantFrom(...words), fc.jsonValue());
    if (type === 'string') return fc.oneof({ weight: 3, arbitrary: address }, fc.jsonValue());
    if (type === 'boolean') return fc.oneof({ weight: 3, arbitrary: fc.boolean() }, fc.jsonValue());
    return fc.jsonValue();
  };
  const bodyOf = (schema: Schema): fc.Arbitrary<string | undefined> => {
    const { properties = {} } = resolve(schema);
    const fields = Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, valueOf(of)]));
    const right = fc.record(fields).map((value) => JSON.stringify(value));
    return fc.oneof(
      { weight: 5, arbitrary: right },
      fc.record(fields, { requiredKeys: [] }).map((value) => JSON.stringify(value)),
      fc
        .tuple(fc.record(fields), fc.dictionary(fc.string(), fc.jsonValue()))
        .map(([a, b]) => JSON.stringify({ ...a, ...b })),
      fc.json(),
      garbage,
      fc.constantFrom(undefined, '', '{', '['.repeat(5_000), `"${'x'.repeat(17_000)}"`, '{"__proto__":{}}'),
    );
  };

  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const parameters = operation.parameters ?? [];
      const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
      const schema = operation.requestBody?.content['application/json']?.schema;
      const text = named('header').map(({ name }) => name);
      return fc.record({
        method: fc.oneof(
          { weight: 20, arbitrary: fc.constant(method.toUpperCase()) },
          fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
        ),
        path: fc
          .tuple(
            fc.array(pathPart, { minLength: 4, maxLength: 4 }),
            fc.option(
              fc.dictionary(fc.constantFrom(...named('query').map(({ name }) => name), 'other'), garbage),
              {
                freq: named('query').length > 0 ? 1 : 10,
              },
            ),
          )
          .map(([parts, query]) => {
            let next = 0;
            const path = template.replace(/\{\w+\}/g, () => encodeURIComponent(parts[next++]!));
            const usable = Object.entries(query ?? {}).filter(([, value]) => isEncodable(value));
            return usable.length === 0 ? path : `${path}?${new URLSearchParams(usable).toString()}`;
          }),
        headers: fc
          .tuple(
            fc.constantFrom({}, ...known.credentials, ...known.credentials),
            fc.dictionary(
              fc.constantFrom(
                'x-signature',
                'x-timestamp',
                'x-signature-scheme',
                'x-api-key',
                'x-request-id',
                ...text,
              ),
              headerText,
              { maxKeys: 1 },
            ),
            fc.option(fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'garbage'), {
              freq: 20,
            }),
          )
          .map(([own, other, type]) => ({
            ...own,
            ...(Object.keys(other).length === 0 ? {} : other),
            ...(type === null ? {} : { 'content-type': type }),
          })),
        body: schema === undefined ? fc.constant(undefined) : bodyOf(schema),
      });
    }),
  );
  return fc
    .oneof(...operations)
    .map((request) => (request.method === 'GET' ? { ...request, body: undefined } : request));
}

/** Halves of surrogate pairs have no UTF-8. */
function isEncodable(text: string): boolean {
  return !/[\ud800-\udfff]/u.test(text);
}
