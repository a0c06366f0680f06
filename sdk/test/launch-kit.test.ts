import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { rejection } from '../../tests/support/mocha/failures.js';
import { InvalidArgumentError } from '../src/errors/index.js';
import {
  expectedTries,
  findVanityMint,
  metadataJson,
  quoteFirstBuy,
  UploadAddressError,
  uploadMetadata,
  VanityUnavailableError,
  type MetadataFields,
  type VanityProgress,
} from '../src/launch/index.js';

const PNG = { url: 'https://cdn.example.org/curvy.png', type: 'image/png' };
const FIELDS: MetadataFields = { name: 'Curvy', symbol: 'CURV' };

describe('metadata', () => {
  it('has the fields that wallets read, and leaves out optional fields without a value', () => {
    expect(metadataJson({ ...FIELDS, website: '' }, PNG)).to.deep.equal({
      name: 'Curvy',
      symbol: 'CURV',
      description: '',
      image: PNG.url,
      extensions: {},
      properties: { category: 'image', files: [{ uri: PNG.url, type: 'image/png' }] },
    });
    const links = { website: 'https://a.example/', x: 'https://x.com/a', telegram: 'https://t.me/a' };
    const json = metadataJson({ ...FIELDS, description: 'Round.', ...links }, PNG);
    expect(json).to.include({ description: 'Round.', external_url: links.website });
    expect(json.extensions).to.deep.equal({
      website: links.website,
      twitter: links.x,
      telegram: links.telegram,
    });
  });

  it('refuses a wrong field, and names it', () => {
    const links = { website: 'javascript:alert(1)', x: 'http://x.com', telegram: 't.me/a' };
    const refused: readonly [argument: string, fields: Partial<MetadataFields>, problem: RegExp][] = [
      ['name', { name: 'é'.repeat(17) }, /34 bytes long in UTF-8; at most 32/],
      ['name', { name: '' }, /is empty/],
      ['symbol', { symbol: 'x'.repeat(11) }, /at most 10/],
      ['description', { description: 'x'.repeat(1_001) }, /1001 bytes long in UTF-8; at most 1000/],
      ['website', { website: links.website }, /begins with https/],
      ['x', { x: links.x }, /is 'http:\/\/x.com'/],
      ['telegram', { telegram: links.telegram }, /is 't.me\/a'/],
      ['discord', { discord: `https://d.gg/${'x'.repeat(200)}` }, /213 characters long; at most 200/],
    ];
    for (const [argument, fields, problem] of refused)
      expect(() => metadataJson({ ...FIELDS, ...fields }, PNG))
        .to.throw(InvalidArgumentError, problem)
        .with.property('argument', argument);
    for (const [argument, picture, problem] of [
      ['picture.url', { url: 'data:image/png;base64,' }, /https:\/\/, ipfs:\/\/, ar:\/\//],
      ['picture.type', { type: 'text/html' }, /is 'text\/html'/],
    ] as const)
      expect(() => metadataJson(FIELDS, { ...PNG, ...picture }))
        .to.throw(InvalidArgumentError, problem)
        .with.property('argument', argument);
  });

  it('is checked before anything is stored', async () => {
    let stored = 0;
    const store = () => Promise.resolve(`https://example.org/${(stored += 1)}`);
    const image = new Blob(['pixels'], { type: 'image/png' });
    for (const upload of [
      { ...FIELDS, symbol: '', image },
      { ...FIELDS, image: new Blob(['<svg>']) },
    ])
      await rejection(uploadMetadata(upload, store), InvalidArgumentError);
    expect(stored).to.equal(0);
  });

  it('is refused when the upload returns an address that is not a valid token URI', async () => {
    const image = new Blob(['pixels'], { type: 'image/png' });
    for (const [address, problem] of [
      ['/local/path', /'\/local\/path' is not a URL; it must begin with https/],
      [`https://example.org/${'x'.repeat(181)}`, /is 201 bytes long; a token's uri has at most 200/],
    ] as const) {
      const uploading = uploadMetadata({ ...FIELDS, image }, () => Promise.resolve(address));
      const error = await rejection(uploading, UploadAddressError);
      expect(error.message).to.match(problem);
    }
  });
});

it('the limit of a first buy holds when the fee rises within the slippage, and not without', () => {
  const launched = { initialVirtualSol: 30_000_000_000n, initialVirtualToken: 1_073_000_000_000_000n };
  const terms = { ...launched, initialized: 1, bump: 255 };
  const { tokenOut } = quoteFirstBuy({ ...terms, platformFeeBps: 100 }, 500_000_000n);
  const limit = (slippageBps?: number) =>
    quoteFirstBuy({ ...terms, platformFeeBps: 99 }, 500_000_000n, slippageBps).firstBuy.minTokenToReceive;
  expect([limit() > tokenOut, limit(10) <= tokenOut]).to.deep.equal([true, true]);
});

describe('the expected tries for an address', () => {
  it('match known exact values', () => {
    expect(expectedTries({ prefix: '1' })).to.equal(256);
    expect(expectedTries({ prefix: '11' })).to.equal(65_536);
    expect(expectedTries({ suffix: 'pump' })).to.equal(58 ** 4);
    const first = [...'23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'];
    const sum = first.reduce((share, prefix) => share + 1 / expectedTries({ prefix }), 1 / 256);
    expect(sum).to.be.closeTo(1, 1e-9);
  });
});

describe('a vanity mint', () => {
  it('has the wanted prefix and suffix, and is a valid keypair', async () => {
    const { mint, tried } = await findVanityMint({ prefix: 'A', suffix: 'z', threads: 2 });
    expect(mint.publicKey.toBase58()).to.match(/^A.*z$/);
    expect(tried).to.be.greaterThan(0);
    expect(Keypair.fromSeed(mint.secretKey.slice(0, 32)).publicKey).to.deep.equal(mint.publicKey);
  });

  it('reports the progress of the search, and stops on abort', async () => {
    const stop = new AbortController();
    const told: VanityProgress[] = [];
    const search = findVanityMint({
      suffix: 'neverends'.slice(0, 8),
      threads: 1,
      progressMs: 50,
      signal: stop.signal,
      onProgress: (progress) => {
        told.push(progress);
        if (told.length === 3) stop.abort(new Error('enough'));
      },
    });
    expect((await rejection(search, Error)).message).to.equal('enough');
    const count = told.length;
    expect(told[2]!.tried).to.be.greaterThan(told[0]!.tried);
    // Some thousands, where nothing else runs.
    expect(told[2]!.perSecond).to.be.greaterThan(20);
    expect(told[2]!.expected).to.equal(58 ** 8);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(told).to.have.length(count);
    const before = rejection(findVanityMint({ suffix: 'z', signal: stop.signal }), Error);
    expect((await before).message).to.equal('enough');
  });

  it('refuses invalid search options', async () => {
    const refused: [object, string, RegExp][] = [
      [{}, 'prefix', /is empty, as is suffix/],
      [{ prefix: 'l0ve' }, 'prefix', /is 'l0ve'; an address has no 'l'/],
      [{ suffix: 'Ö' }, 'suffix', /no 'Ö'/],
      [{ prefix: 'aaaa', suffix: 'bbbbb' }, 'prefix', /have 9 characters; at most 8/],
      [{ prefix: 'a', threads: 0 }, 'threads', /from 1 to 64/],
      [{ prefix: 'a', progressMs: 1 }, 'progressMs', /from 10 to 60000/],
    ];
    for (const [options, argument, problem] of refused) {
      const error = await rejection(findVanityMint(options), InvalidArgumentError);
      expect(error.argument).to.equal(argument);
      expect(error.message).to.match(problem);
    }
  });

  it('throws VanityUnavailableError outside Node', async () => {
    const original = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule')!;
    try {
      Object.defineProperty(process, 'getBuiltinModule', { ...original, value: undefined });
      const error = await rejection(findVanityMint({ suffix: 'z' }), VanityUnavailableError);
      expect(error.message).to.contain('use a random key');
    } finally {
      Object.defineProperty(process, 'getBuiltinModule', original);
    }
  });
});
