// The configuration: variables, files of any editor, connection strings with any password. threat: other-installation
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { deploymentOf } from '#app/context.js';
import { ConfigError, readConfig, type ConfigProblem } from '#app/config/config.js';
import { hideSecrets } from '#app/base/secrets.js';
import { envFileVariables, loadEnvFile } from '#app/config/files.js';
import { unusedVariables } from '#app/config/unused.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const EXAMPLE = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');

/** Reads lines such as `# NAME=value`: every variable is commented out. */
function documented(): Map<string, string> {
  return new Map(
    [...EXAMPLE.matchAll(/^# ([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  );
}

function problemsOf(environment: Record<string, string>): readonly ConfigProblem[] {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
  return [];
}

describe('readConfig', () => {
  it('accepts the values of .env.example, except the keys, whose files do not exist', () => {
    const shown = [...documented()].filter(([name]) => !name.endsWith('_KEYPAIR'));
    const config = readConfig(Object.fromEntries(shown));
    expect(config.database).to.include({ kind: 'postgres', poolSize: 20 });
    expect(config.solPrice).to.include({ pointer: '/solana/usd' });
  });

  it('reads what can hold a password from a file that a variable names, and never shows it', async () => {
    const folder = temporaryFolder('secrets');
    const file = (name: string) => join(folder, name);
    await writeFile(file('database'), '\uFEFFpostgres://u:Sesame@db.example/curvekit\r\n');
    await writeFile(file('empty'), ' \n');
    const { database } = readConfig({ DATABASE_URL_FILE: file('database') });
    expect(database).to.include({ kind: 'postgres', url: 'postgres://u:Sesame@db.example/curvekit' });
    const problems = problemsOf({
      DATABASE_URL: 'postgres://u:Sesame@other/curvekit',
      DATABASE_URL_FILE: file('database'),
      REDIS_URL_FILE: file('missing'),
      RPC_URL_FILE: file('empty'),
    });
    expect(problems).to.deep.equal([
      { variable: 'DATABASE_URL_FILE', problem: 'is set beside DATABASE_URL; set one of them' },
      { variable: 'REDIS_URL_FILE', problem: `names ${file('missing')}, which cannot be read (ENOENT)` },
      { variable: 'RPC_URL_FILE', problem: `names ${file('empty')}, which is empty` },
    ]);
  });

  it('traces only with an endpoint, and hides the headers for it', () => {
    const variables = {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team = open, authorization=Bearer%20open-sesame',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(readConfig(variables).tracing).to.equal(undefined);
    const endpoint = 'https://collector.example/otlp';
    expect(readConfig({ ...variables, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).tracing).to.deep.equal({
      endpoint,
      headers: { 'x-team': 'open', authorization: 'Bearer open-sesame' },
      serviceName: 'curvekit',
      sampler: 'traceidratio',
      ratio: 0.25,
    });
    expect(hideSecrets('401 for Bearer open-sesame')).to.equal('401 for [redacted]');
  });

  it('uses the host of PUBLIC_URL as the service name if SERVICE_NAME is not set', () => {
    const PUBLIC_URL = 'https://api.example.com:8443/prefix';
    expect(readConfig({ PUBLIC_URL }).serviceName).to.equal('api.example.com:8443');
    expect(readConfig({ PUBLIC_URL, SERVICE_NAME: 'Moon' }).serviceName).to.equal('Moon');
    expect(readConfig({}).serviceName).to.equal('Curvekit');
  });

  it('derives the websocket URL from RPC_URL', () => {
    expect(readConfig({ RPC_URL: 'https://rpc.example.com/key' }).wsUrl).to.equal(
      'wss://rpc.example.com/key',
    );
    expect(readConfig({ RPC_URL: 'http://node:8000' }).wsUrl).to.equal('ws://node:8001/');
  });

  it('never quotes a key that was pasted into an address variable', () => {
    const secret = JSON.stringify([...Keypair.generate().secretKey]);
    for (const variable of ['LP_ADDRESS', 'FEE_RECEIVER_ADDRESS', 'PROGRAM_ID', 'EXCLUDED_HOLDERS']) {
      const [found] = problemsOf({ [variable]: secret });
      expect(found?.variable).to.equal(variable);
      expect(found?.problem)
        .to.contain('base58 address of 32 bytes')
        .and.not.to.match(/\[|\d,/);
    }
    const [listed] = problemsOf({ EXCLUDED_HOLDERS: `${DEFAULT_DEPLOYMENT.admin.toBase58()}, x` });
    expect(listed?.problem).to.match(/^has an invalid entry 2: it must be a base58 address/);
  });

  const FAULTS: readonly [variable: string, value: string, problem: RegExp][] = [
    [
      'DATABASE_URL',
      'mysql://localhost/db',
      /must be a URL that begins with postgres:\/\/ or postgresql:\/\//,
    ],
    ['DATABASE_POOL_SIZE', '1', /integer from 2 to 1000/],
    ['REDIS_URL', 'localhost:6379', /redis:\/\//],
    ['RPC_URL', 'ws://localhost', /http:\/\/ or https:\/\//],
    ['WS_URL', 'http://localhost', /ws:\/\/ or wss:\/\//],
    ['YELLOWSTONE_URL', 'grpc://localhost', /https:\/\/ or http:\/\//],
    ['YELLOWSTONE_URL', 'https://grpc.example.com/my-key', /HOST:PORT .* YELLOWSTONE_TOKEN/],
    ['PROGRAM_ID', '0x1234', /base58 address of 32 bytes/],
    ['PORT', '65536', /integer from 0 to 65535/],
    ['PORT', '-1', /integer/],
    ['TRUST_PROXY', 'true', /number of proxies/],
    ['TRUST_PROXY', '10.0.0.0/33', /number of proxies/],
    ['CORS_ORIGINS', 'https://app.example.com/path', /not an origin; write it as https:\/\/example.com/],
    ['LOG_LEVEL', 'verbose', /one of fatal, error, warn/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b,sesame', /entry 2: it must be name=value/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz', /entry 1: write a percent sign as %25/],
    ['OTEL_TRACES_SAMPLER', 'some', /one of always_on, always_off/],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', /from 0 to 1/],
    ['OTEL_TRACES_SAMPLER_ARG', '10%', /from 0 to 1/],
    ['SERVICE_NAME', 'x'.repeat(65), /at most 64/],
    ['EXCLUDED_HOLDERS', `${Keypair.generate().publicKey.toBase58()},no`, /entry 2/],
    ['SETTLEMENT_MINIMUM_SOL', '18446744073709551616', /from 0 to 18446744073709551615/],
    ['SETTLEMENT_MINIMUM_SOL', '0.5', /smallest units/],
    ['SOL_PRICE_URL', 'http://example.com', /https:\/\//],
    ['SOL_PRICE_URL', 'pyth:sesame', /after pyth: a base58 address/],
    ['SOL_PRICE_URL', 'usd:0', /usd:142\.5/],
    ['SOL_PRICE_URL', 'usd:1e3', /usd:142\.5/],
    ['SOL_PRICE_POINTER', 'solana.usd', /JSON pointer/],
    ['TREASURY_KEYPAIR', '/no/such/file', /cannot be read \(ENOENT\)/],
    ['TREASURY_KEYPAIR', '[1,2,3]', /must hold 64 bytes/],
    ['TREASURY_KEYPAIR', `[${'1,'.repeat(63)}1]`, /does not fit its public key/],
    ['TREASURY_KEYPAIR', '[not json', /neither the JSON array/],
    ['TREASURY_KEYPAIR', bs58.encode(Buffer.alloc(64, 9)), /does not fit its public key/],
    ['IPFS_GATEWAYS', 'https://ipfs.io/ipfs', /https origin such as https:\/\/ipfs.io, without a path/],
  ];
  for (const [variable, value, problem] of FAULTS)
    it(`refuses ${variable}=${value.slice(0, 40)}`, () => {
      expect(problemOf(variable, value)).to.match(problem);
    });

  describe('for another program', () => {
    const [program, admin, feeReceiver, dexOwner] = Array.from({ length: 4 }, () => Keypair.generate());
    const address = (key = program!) => key.publicKey.toBase58();
    const keypair = (key = program!) => JSON.stringify([...key.secretKey]);
    const own = {
      PROGRAM_ID: address(),
      ADMIN_ADDRESS: address(admin),
      FEE_RECEIVER_ADDRESS: address(feeReceiver),
      DEX_OWNER_KEYPAIR: keypair(dexOwner),
    };

    it('accepts its authorities by address or by key', () => {
      const deployment = deploymentOf(readConfig(own));
      expect(
        [deployment.programId, deployment.admin, deployment.feeReceiver, deployment.dexOwner].map(String),
      ).to.deep.equal([program, admin, feeReceiver, dexOwner].map(address));
      const named = deploymentOf(readConfig({ ...own, DEX_OWNER_ADDRESS: address(dexOwner) }));
      expect(named).to.deep.equal(deployment);
    });

    for (const [missing, problem] of [
      ['ADMIN_ADDRESS', /^is missing: PROGRAM_ID is \w+, not the development program; .* ADMIN_KEYPAIR$/],
      ['FEE_RECEIVER_ADDRESS', /set FEE_RECEIVER_KEYPAIR or GRADUATION_PROGRAM_ID$/],
      ['DEX_OWNER_KEYPAIR', /set DEX_OWNER_KEYPAIR$/],
    ] as const)
      it(`refuses the program without ${missing}`, () => {
        const problems = problemsOf({ ...own, [missing]: '' });
        expect(problems.map(({ variable }) => variable)).to.deep.equal([
          missing.replace('KEYPAIR', 'ADDRESS'),
        ]);
        expect(problems[0]?.problem).to.match(problem);
      });

    it("uses the graduation program's PDA as fee receiver if that program is set", () => {
      const graduation = { GRADUATION_PROGRAM_ID: address(admin), GRADUATION_TREASURY: address(dexOwner) };
      const deployment = deploymentOf(readConfig({ ...own, FEE_RECEIVER_ADDRESS: '', ...graduation }));
      expect(deployment.feeReceiver).to.deep.equal(deployment.graduation.feeReceiver.address);
      expect(deployment.graduation.treasury.toBase58()).to.equal(address(dexOwner));
      const byKey = deploymentOf(readConfig({ ...own, ...graduation }));
      expect(byKey.feeReceiver.toBase58()).to.equal(address(feeReceiver));
    });

    it('refuses a graduation program without its treasury', () => {
      const [found, ...others] = problemsOf({ GRADUATION_PROGRAM_ID: address() });
      expect([found?.variable, others]).to.deep.equal(['GRADUATION_TREASURY', []]);
      expect(found?.problem).to.contain(address());
    });

    it('refuses an address that does not match the key', () => {
      const [found, ...others] = problemsOf({ ...own, DEX_OWNER_ADDRESS: address(admin) });
      expect([found?.variable, others]).to.deep.equal(['DEX_OWNER_ADDRESS', []]);
      expect(found?.problem).to.equal(
        `is ${address(admin)}, but DEX_OWNER_KEYPAIR is the key of ${address(dexOwner)}; remove the wrong one`,
      );
    });

    it('refuses shares that together are more than the fee', () => {
      const [found, ...others] = problemsOf({ REFERRAL_SHARE_BPS: '4000', CREATOR_SHARE_BPS: '6001' });
      expect(others).to.deep.equal([]);
      expect(found?.variable).to.equal('CREATOR_SHARE_BPS');
      expect(found?.problem).to.contain('more than the 6000 that REFERRAL_SHARE_BPS (4000) leaves');
      expect(
        readConfig({ ...own, REFERRAL_SHARE_BPS: '4000', CREATOR_SHARE_BPS: '6000' }).creatorShareBps,
      ).to.equal(6_000);
    });

    it('refuses the key of the DEX owner for the treasury', () => {
      const [found, ...others] = problemsOf({ ...own, TREASURY_KEYPAIR: keypair(dexOwner) });
      expect([found?.variable, others]).to.deep.equal(['TREASURY_KEYPAIR', []]);
      expect(found?.problem).to.equal(
        `is the key of ${address(dexOwner)}, which is the DEX owner; use another key for the treasury`,
      );
    });
  });

  it('reads a keypair from a file or from the variable itself', async () => {
    const folder = temporaryFolder('config');
    const keypair = Keypair.generate();
    const content = JSON.stringify([...keypair.secretKey]);
    const path = join(folder, 'key.json');
    const base58 = bs58.encode(keypair.secretKey);
    // As wallets and editors save it, and as it is.
    const files = [`\uFEFF${base58}\r\n`, Buffer.from(`\uFEFF${content}\r\n`, 'utf16le'), content];
    for (const file of files) {
      await writeFile(path, file);
      expect(readConfig({ TREASURY_KEYPAIR: path }).treasury?.publicKey.toBase58()).to.equal(
        keypair.publicKey.toBase58(),
      );
    }
    for (const value of [path, content, base58]) {
      const { treasury, keyFiles } = readConfig({ TREASURY_KEYPAIR: value });
      expect(keyFiles).to.deep.equal(value === path ? [{ variable: 'TREASURY_KEYPAIR', path }] : []);
      expect(treasury?.publicKey.toBase58()).to.equal(keypair.publicKey.toBase58());
    }
  });
});

const TEXT = '# Café\nDATABASE_URL=postgres://u:p@h/d\nexport SERVICE_NAME="Zoë"\n\nPORT=1\n';
const VALUES = { DATABASE_URL: 'postgres://u:p@h/d', SERVICE_NAME: 'Zoë', PORT: '1' };

function problemOf(variable: string, value: string): string | undefined {
  const [found, ...others] = problemsOf({ [variable]: value });
  expect([found?.variable ?? variable, others]).to.deep.equal([variable, []]);
  return found?.problem;
}

describe('a .env file', () => {
  it('is read as any editor saves it', () => {
    const crlf = TEXT.replaceAll('\n', '\r\n');
    for (const text of [TEXT, crlf, TEXT.replaceAll('\n', '\r')]) {
      const utf16 = Buffer.from(text, 'utf16le');
      const forms = {
        utf8: Buffer.from(text),
        'utf8 with mark': Buffer.from(`\uFEFF${text}`),
        'utf16le with mark': Buffer.from(`\uFEFF${text}`, 'utf16le'),
        'utf16be with mark': Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
        utf16le: utf16,
        utf16be: Buffer.from(utf16).swap16(),
        'put together': Buffer.from(text.replace('PORT', '\uFEFFPORT')),
      };
      for (const [form, bytes] of Object.entries(forms))
        expect(envFileVariables(bytes), form).to.deep.equal(VALUES);
    }
    expect(envFileVariables(Buffer.from('SERVICE_NAME=Zo\xeb', 'latin1'))).to.deep.equal({
      SERVICE_NAME: 'Zoë',
    });
    expect(envFileVariables(Buffer.alloc(0))).to.deep.equal({});
  });

  it('does not replace what is already set', async () => {
    const folder = temporaryFolder('env');
    await writeFile(join(folder, '.env'), TEXT);
    const environment: Record<string, string> = { PORT: '2', DATABASE_URL: '' };
    loadEnvFile(join(folder, '.env'), environment);
    expect(environment).to.deep.equal({ PORT: '2', DATABASE_URL: '', SERVICE_NAME: 'Zoë' });
  });
});

describe('a connection string', () => {
  const LEGAL: readonly string[] = [
    'postgres://localhost',
    'postgresql://localhost:5432/curvekit',
    'POSTGRES://u@h/d',
    'postgres://u:p@[::1]:5432/d?sslmode=require',
    'postgres:///d?host=/var/run/postgresql',
    'postgres://u:p@/d?host=/var/run/postgresql',
    'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/d',
    'postgres://u:%40%2F%3A%23%3F%25%20@h/d',
    "postgres://u:!$&'()*+,;=-._~:x@h/d",
    'postgres://h/d?user=a@b&password=c@d',
    'postgres://u:p@h/d?application_name=a@b',
    'postgres://u:p%C3%A4@h/d',
    'postgres://u:pä@h/d',
  ];
  for (const text of LEGAL)
    it(`may be ${text}`, () => expect(problemOf('DATABASE_URL', text)).to.equal(undefined));

  it('is refused with the character to encode, and no more of the password', () => {
    for (const scheme of ['postgres', 'postgresql', 'redis', 'rediss']) {
      const variable = scheme.startsWith('redis') ? 'REDIS_URL' : 'DATABASE_URL';
      for (const character of '#/?@[]% \t\\<>^|"`{')
        for (const secret of [`12${character}zz`, `${character}hunter`, `Sesame${character}`]) {
          const problem = problemOf(variable, `${scheme}://user:${secret}@host:1/name`) ?? '';
          const code = encodeURIComponent(character).toUpperCase();
          expect(problem, secret).to.contain(`must be written as ${code}`);
          for (const part of secret.split(character).filter((piece) => piece !== ''))
            expect(problem, secret).not.to.contain(part);
        }
    }
    expect(problemOf('DATABASE_URL', 'postgres://u:p%FFq@h/d')).to.match(/not UTF-8/);
    expect(problemOf('DATABASE_URL', 'postgres://u:Sesame@h:port/d'))
      .to.match(/check its host and its port/)
      .and.not.to.match(/Sesame/);
    expect(problemOf('DATABASE_URL', 'host=h password=Sesame'))
      .to.match(/begins with postgres:/)
      .and.not.to.match(/Sesame/);
  });
});

describe('a variable that does nothing', () => {
  it('is named, with the one that was meant', () => {
    const names = (environment: Record<string, string>) =>
      unusedVariables(environment).map(({ name, reason }) => `${name} ${reason}`);
    const meant = {
      DATABSE_URL: 'DATABASE_URL',
      DATABASE_URI: 'DATABASE_URL',
      database_url: 'DATABASE_URL',
      '\uFEFFPORT': 'PORT',
      LOGLEVEL: 'LOG_LEVEL',
      TREASURY_KEYPAIR_FILE: 'TREASURY_KEYPAIR',
      CURVEKIT_RPC_URL: 'RPC_URL',
    };
    for (const [name, right] of Object.entries(meant))
      expect(names({ [name]: 'x' })).to.deep.equal([`${name} is not used; did you mean ${right}?`]);
    expect(names({ DATABASE_POOL_SIZE: '5', WEB_WS_URL: 'wss://x' })).to.deep.equal([
      'DATABASE_POOL_SIZE is not used without DATABASE_URL',
      'WEB_WS_URL is not used without WEB_RPC_URL',
    ]);
    expect(names({ DATABASE_URL: 'x', DATABASE_FOLDER: 'y' })).to.deep.equal([
      'DATABASE_FOLDER is not used beside DATABASE_URL',
    ]);
    const others = 'PATH HOSTNAME HOME LANG SHELL LOGNAME TERM USER NODE_ENV PGHOST'.split(' ');
    expect(names(Object.fromEntries(others.map((name) => [name, 'x'])))).to.deep.equal([]);
    expect(names({ DATABSE_URL: ' ' })).to.deep.equal([]);
  });
});
