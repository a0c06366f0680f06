import { expect } from 'chai'; // threat: internal-uri, slow-dns
import fc from 'fast-check';
import { FetchRefusedError, type FetchLimits } from '#app/tokens/metadata/fetch.js';
import { fetchAbout } from '#app/tokens/metadata/token-row.js';
import { isPublicAddress } from '#app/tokens/metadata/public-address.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { ADDRESSES, IMAGE, useInternet } from '#tests/service/image-server.js';

const fetchImage = async (uri: string, limits: FetchLimits) => (await fetchAbout(uri, limits)).image;

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const problem: unknown = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(problem).to.be.instanceOf(FetchRefusedError);
  return (problem as Error).message;
}

describe(`a token's image (${DATABASE_KIND})`, () => {
  const { internet, names, limits, url } = useInternet();

  it('is the one that the JSON at the uri names', async () => {
    expect(await fetchImage(url('token.json'), limits())).to.equal(IMAGE);
  });

  it('is fetched only from public addresses, whatever the host name', async () => {
    const asInProduction = { ...limits(), isAllowed: isPublicAddress };
    const hosts = [
      'localhost',
      'host.test',
      'metadata.test',
      '127.0.0.1',
      '[::1]',
      '0x7f.1',
      '2130706433',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
    ];
    for (const host of hosts) {
      expect(await refusal(fetchAbout(url('', host), asInProduction)), host).to.match(/public/);
    }
    for (const host of ['inside.test', 'both.test', '127.0.0.2']) {
      expect(await refusal(fetchAbout(url('', host), limits())), host).to.match(/public/);
    }
    expect(internet.requests).to.equal(0);
  });

  it('is fetched from the address that was checked, even if the name resolves to another one later', async () => {
    const before = names().asked.length;
    let reached: string | undefined;
    internet.respond = (request, response) => {
      reached = request.socket.localAddress;
      response.end(JSON.stringify({ image: IMAGE }));
    };
    internet.addressesOf = (name) => (names().asked.length === before + 1 ? ADDRESSES[name] : ['127.0.0.2']);
    expect(await fetchImage(url(), limits())).to.equal(IMAGE);
    expect(reached).to.equal('127.0.0.1');
    expect(names().asked.slice(before)).to.deep.equal(['host.test']);
    // The next fetch resolves the name again, and refuses its new address.
    expect(await refusal(fetchAbout(url(), limits()))).to.match(/public/);
    expect(internet.requests).to.equal(1);
  });

  it('fails if the name does not resolve, or no name server answers', async () => {
    expect(await refusal(fetchAbout(url('', 'none.test'), limits()))).to.match(
      /none\.test has no public address/,
    );
    internet.addressesOf = () => undefined;
    expect(await refusal(fetchAbout(url(), { ...limits(), timeoutMs: 200 }))).to.match(/within 200 ms/);
  });

  it('fails for the same reason if the name is unknown or of the inside', async () => {
    const [unknown, inside] = ['none.test', 'inside.test'].map(async (host) =>
      (await refusal(fetchAbout(url('', host), limits()))).replaceAll(host, 'HOST'),
    );
    expect(await unknown).to.equal(await inside);
  });

  it('is fetched only over https, without credentials', async () => {
    for (const uri of ['ftp://example.org/', 'file:///etc/passwd', 'no uri', '']) {
      expect(await refusal(fetchAbout(uri, limits()))).to.match(/only https/);
    }
    expect(await refusal(fetchAbout('https://user:pw@example.org/', limits()))).to.match(/user or password/);
  });

  it('fails at the timeout, whether no data or too little arrives', async () => {
    const soon = { ...limits(), timeoutMs: 500 };
    internet.respond = () => undefined;
    expect(await refusal(fetchAbout(url(), soon))).to.match(/within 500 ms/);
    internet.respond = (_request, response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    };
    expect(await refusal(fetchAbout(url(), soon))).to.match(/within 500 ms/);
  });

  it('fails if the document is too long, even if its Content-Length is wrong', async () => {
    const exact = JSON.stringify({ image: IMAGE }).padEnd(256 * 1024, ' ');
    internet.respond = (_request, response) => response.end(exact);
    expect(await fetchImage(url(), limits())).to.equal(IMAGE);
    internet.respond = (_request, response) => response.end(`${exact} `);
    expect(await refusal(fetchAbout(url(), limits()))).to.match(/longer than 262144 bytes/);
    // A document without an end is not read to the end.
    internet.respond = (_request, response) => {
      const more = () => response.write(Buffer.alloc(65_536, 0x20));
      response.on('drain', more);
      more();
    };
    expect(await refusal(fetchAbout(url(), limits()))).to.match(/longer than 262144 bytes/);
  });

  it('fails if the answer is an error, damaged, not JSON, or truncated', async () => {
    internet.respond = (_request, response) => response.writeHead(500).end(JSON.stringify({ image: IMAGE }));
    expect(await refusal(fetchAbout(url(), limits()))).to.match(/HTTP 500/);
    internet.respond = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    expect(await refusal(fetchAbout(url(), limits()))).to.match(/compressed answer is damaged/);
    internet.respond = (_request, response) => response.end('<html>');
    expect(await refusal(fetchAbout(url(), limits()))).to.match(/it is not JSON/);
    internet.respond = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"image":');
      setTimeout(() => response.destroy(), 50);
    };
    expect(await refusal(fetchAbout(url(), limits()))).to.match(/could not be fetched from host\.test/);
  });

  it('needs a trusted certificate', async () => {
    const { isAllowed, nameServers, timeoutMs } = limits();
    expect(await refusal(fetchAbout(url(), { isAllowed, nameServers, timeoutMs }))).to.match(/SELF_SIGNED/);
    internet.addressesOf = () => ['127.0.0.1'];
    expect(await refusal(fetchAbout(url('', 'other.test'), limits()))).to.match(/ALTNAME/);
  });

  it('must be a URL of limited length; a document without one keeps its words', async () => {
    for (const image of [undefined, 7, '', 'javascript:alert(1)', `https://e.org/${'x'.repeat(2_048)}`]) {
      internet.respond = (_request, response) => response.end(JSON.stringify({ image, description: 'Warm' }));
      const found = await fetchAbout(url(), limits());
      expect(found.image, String(image)).to.equal(undefined);
      expect(found.problem, String(image)).to.match(/image/);
      // The words do not go with the image.
      expect(found.description).to.equal('Warm');
    }
  });

  it('is refused from every address that is not globally reachable', () => {
    const privateIpv4 = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.integer({ min: 224, max: 255 }), fc.nat(255), fc.nat(255), fc.nat(255)),
    );
    fc.assert(
      fc.property(privateIpv4, (bytes) => {
        const ip = bytes.join('.');
        return !isPublicAddress(ip) && !isPublicAddress(`::ffff:${ip}`) && !isPublicAddress(`64:ff9b::${ip}`);
      }),
    );
    for (const ip of [
      '168.63.129.16',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      'x',
      '',
    ]) {
      expect(isPublicAddress(ip), ip).to.equal(false);
    }
    for (const ip of ['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '2606:4700::1111']) {
      expect(isPublicAddress(ip), ip).to.equal(true);
    }
  });
});
