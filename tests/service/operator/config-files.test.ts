// Configuration as people save and paste it: files of any editor, connection strings with any password, misspelt names.
import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from '#app/config/config.js';
import { envFileVariables, loadEnvFile } from '#app/config/env-file.js';
import { unusedVariables } from '#app/config/unused.js';

const TEXT = '# Café\nDATABASE_URL=postgres://u:p@h/d\nexport SERVICE_NAME="Zoë"\n\nPORT=1\n';
const VALUES = { DATABASE_URL: 'postgres://u:p@h/d', SERVICE_NAME: 'Zoë', PORT: '1' };

function problemOf(variable: string, value: string): string | undefined {
  try {
    readConfig({ [variable]: value });
    return undefined;
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    const [found, ...others] = (error as ConfigError).problems;
    expect([found?.variable, others]).to.deep.equal([variable, []]);
    return found!.problem;
  }
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
    const folder = await mkdtemp(join(tmpdir(), 'curvekit-env-'));
    try {
      await writeFile(join(folder, '.env'), TEXT);
      const environment: Record<string, string> = { PORT: '2', DATABASE_URL: '' };
      loadEnvFile(join(folder, '.env'), environment);
      expect(environment).to.deep.equal({ PORT: '2', DATABASE_URL: '', SERVICE_NAME: 'Zoë' });
    } finally {
      await rm(folder, { recursive: true });
    }
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
  for (const text of LEGAL) {
    it(`may be ${text}`, () => expect(problemOf('DATABASE_URL', text)).to.equal(undefined));
  }

  it('is refused with the character to encode, and no more of the password', () => {
    for (const scheme of ['postgres', 'postgresql', 'redis', 'rediss']) {
      const variable = scheme.startsWith('redis') ? 'REDIS_URL' : 'DATABASE_URL';
      for (const character of '#/?@[]% \t\\<>^|"`{') {
        for (const secret of [`12${character}zz`, `${character}hunter`, `Sesame${character}`]) {
          const problem = problemOf(variable, `${scheme}://user:${secret}@host:1/name`) ?? '';
          const code = encodeURIComponent(character).toUpperCase();
          expect(problem, secret).to.contain(`must be written as ${code}`);
          for (const part of secret.split(character).filter((piece) => piece !== ''))
            expect(problem, secret).not.to.contain(part);
        }
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
