// What the OpenAPI document says about claims and settlements: each field and parameter has a sentence, and a form where it has one.
import { expect } from 'chai';
import { openApiDocument } from '#app/http/openapi.js';
import { rewardsApi, type RewardsParts } from '#app/claims/rewards/routes.js';
import { settlementsApi } from '#app/graduation/settlement/routes.js';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}
interface Parameter {
  readonly name: string;
  readonly schema: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

/** They say what they are. */
const PLAIN = ['id', 'status', 'message'];

describe('the documentation of claims and settlements', () => {
  // Routes use the service's parts only to answer a request.
  const { components, paths } = JSON.parse(
    JSON.stringify(
      openApiDocument(
        [rewardsApi({} as RewardsParts), settlementsApi({} as Parameters<typeof settlementsApi>[0])],
        { title: '', version: '', description: '', publicUrl: undefined },
      ),
    ),
  ) as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };

  /** Fields of a schema and of the objects in it, by their paths. */
  function fieldsOf(schema: Schema, at = ''): readonly (readonly [string, Schema])[] {
    const inner = schema.items === undefined ? [] : fieldsOf(schema.items, `${at}[]`);
    return Object.entries(schema.properties ?? {})
      .flatMap(([name, field]) => [[`${at}.${name}`, field] as const, ...fieldsOf(field, `${at}.${name}`)])
      .concat(inner);
  }
  const operation = (path: string, method: string) => paths[path]![method]!;
  const fields = new Map([
    ...['ClaimStatus', 'ClaimRequest', 'Settlement', 'SettlementSample'].flatMap((name) =>
      fieldsOf(components.schemas[name]!, name),
    ),
    ...fieldsOf(
      operation('/rewards/{address}/initiate', 'post').responses['200']!.content!['application/json']!.schema
        .properties!['data']!,
      'initiated',
    ),
    ...[
      operation('/rewards/{address}/initiate', 'post'),
      operation('/rewards/{signature}/status', 'get'),
      ...Object.entries(paths).flatMap(([path, methods]) =>
        path.includes('settlements') ? Object.values(methods) : [],
      ),
    ].flatMap(({ parameters }) => parameters!.map(({ name, schema }) => [name, schema] as const)),
  ]);

  it('describes each field and parameter', () => {
    const bare = [...fields]
      .filter(
        ([path, { description }]) => description === undefined && !PLAIN.includes(path.split('.').at(-1)!),
      )
      .map(([path]) => path);
    expect(bare).to.deep.equal([]);
    expect(fields.size).to.equal(41);
  });

  /** What the fields have in common, or have alone. */
  const forms: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'initiated.tx': { type: 'string', format: 'byte' },
    'ClaimRequest.claimType': { type: 'string', enum: ['SOL', 'TOKEN'] },
    'ClaimRequest.burnToken': { type: 'boolean', default: false },
    'Settlement.startedAt': { type: 'string', format: 'date-time' },
    'Settlement.seedHash': { type: ['string', 'null'], pattern: '^[0-9a-f]{64}$' },
    'Settlement.seed': {
      ...{ type: ['string', 'null'], pattern: '^[0-9a-f]{64}$' },
      description: 'The seed; null until the period is over. 32 bytes in hex',
    },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    before: { type: 'integer', minimum: 1 },
  };
  for (const [path, form] of Object.entries(forms))
    it(`says the form of ${path}`, () => {
      expect(fields.get(path)).to.deep.include(form);
    });

  it('says that a token may not exist', () => {
    const { '404': missing } = operation('/settlements/{mint}', 'get').responses;
    const { code } = missing!.content!['application/json']!.schema.properties!;
    expect(code!['enum']).to.include('TOKEN_NOT_FOUND');
  });
});
