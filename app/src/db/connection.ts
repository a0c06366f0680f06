// How a URL of PostgreSQL connects: its TLS parameters mean what they mean to psql and pg_dump (libpq), which read the same URL.
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { causeMessage } from '../base/logging/logged-error.js';
import { DatabaseError } from './errors.js';

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
/** What this module reads. The driver would read it with another meaning. */
const READ = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'];
const UNSUPPORTED = ['sslcrl', 'sslcrldir'];
/** The root certificates of Node.js, and those of NODE_EXTRA_CA_CERTS. */
const SYSTEM = 'system';
const OFFER_TIMEOUT_MS = 3_000;
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const UNKNOWN_CA = /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_.*)$/;

type Connecting = pg.ClientConfig & { readonly connectionString: string };

/** The driver's settings. @throws DatabaseError when a parameter or a file of TLS cannot be used */
export async function connectionOf(url: string): Promise<Connecting> {
  const [address, query = ''] = url.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const unsupported = UNSUPPORTED.find((name) => params.has(name));
  if (unsupported !== undefined)
    throw new DatabaseError(`${unsupported} is not supported; remove it from DATABASE_URL`);
  const root = fileOf(params, 'sslrootcert', 'root.crt');
  const mode = modeOf(params, root);
  const [cert, key] = [
    fileOf(params, 'sslcert', 'postgresql.crt'),
    fileOf(params, 'sslkey', 'postgresql.key'),
  ];
  for (const name of READ) params.delete(name);
  const connectionString = params.size === 0 ? address! : `${address}?${params}`;
  const { host, port } = new pg.Client({ connectionString });
  const plain = { connectionString, ssl: false } as const;
  if (mode === 'disable' || host.startsWith('/')) return plain;
  const isOptional = mode === 'allow' || mode === 'prefer';
  if (isOptional && !(await offersTls(host, port))) return plain;
  const verifies = mode.startsWith('verify') || (mode === 'require' && root !== undefined);
  return {
    connectionString,
    ssl: {
      rejectUnauthorized: verifies,
      ...(verifies && root !== undefined && root !== SYSTEM && { ca: read('sslrootcert', root) }),
      ...(cert !== undefined && { cert: read('sslcert', cert) }),
      ...(key !== undefined && { key: read('sslkey', key) }),
      ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    },
  };
}

/** Why no connection opens, and after `; ` what to do. */
export function connectFailure(error: Error): string {
  const { code = '' } = error as { readonly code?: string };
  const said = `the database does not answer (${error.message || causeMessage(error)})`;
  if (UNKNOWN_CA.test(code))
    return `the certificate of the database is not of a CA that this process knows (${error.message}); set sslrootcert=FILE in DATABASE_URL, or PGSSLROOTCERT, to the CA's certificate, which the provider publishes`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of the database is not of its host (${error.message}); use a name of the certificate as host in DATABASE_URL, or sslmode=verify-ca, which checks the CA alone`;
  if (code.startsWith('CERT_')) return `${said}; renew the certificate of the database or of its CA`;
  if (/does not support SSL/.test(error.message))
    return `${said}; turn on ssl in postgresql.conf, or set sslmode=disable in DATABASE_URL`;
  if (/(no encryption|SSL off)/.test(error.message))
    return `${said}; set sslmode=require or stronger in DATABASE_URL`;
  if (/client certificate/.test(error.message))
    return `${said}; set sslcert=FILE and sslkey=FILE in DATABASE_URL`;
  return `${said}; start it, or correct DATABASE_URL`;
}

function modeOf(params: URLSearchParams, root: string | undefined): string {
  const isJdbc = params.get('ssl') === 'true';
  const given = params.get('sslmode') ?? (isJdbc ? 'require' : process.env['PGSSLMODE']);
  const mode = given ?? (root === SYSTEM ? 'verify-full' : 'prefer');
  if (!MODES.includes(mode))
    throw new DatabaseError(
      `sslmode: expected ${MODES.join(', ')}, got "${mode}"; correct it in DATABASE_URL`,
    );
  if (root === SYSTEM && mode !== 'verify-full')
    throw new DatabaseError(
      `sslrootcert=system needs sslmode=verify-full, not ${mode}; set it in DATABASE_URL`,
    );
  if (mode === 'verify-ca' && root === undefined)
    throw new DatabaseError('sslmode=verify-ca needs sslrootcert; set sslrootcert=FILE in DATABASE_URL');
  return mode;
}

/** A parameter of the URL, its variable, or the file in the home folder. */
function fileOf(params: URLSearchParams, name: string, standard: string): string | undefined {
  const given = params.get(name) ?? process.env[`PG${name.toUpperCase()}`];
  if (given !== undefined) return given;
  const file = join(homedir(), '.postgresql', standard);
  return existsSync(file) ? file : undefined;
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new DatabaseError(
      `${name}: ${(cause as Error).message}; name a file that the service's user may read`,
      {
        cause,
      },
    );
  }
}

/** False also when the server does not answer: the connection then says why. */
function offersTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: OFFER_TIMEOUT_MS });
    const end = (offers: boolean) => {
      socket.destroy();
      resolve(offers);
    };
    socket.once('connect', () => socket.write(SSL_REQUEST));
    socket.once('data', (answer) => end(answer.toString('latin1') === 'S'));
    socket.once('close', () => end(false));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

// Finds a pooler that gives each transaction another connection and forgets prepared statements, such as PgBouncer before 1.21.

/** Has its own name: another session must not know it. */
const STATEMENT = { name: 'curvekit_pooler_check', text: 'select 1' };
/** PostgreSQL's code for a prepared statement that does not exist. */
const UNKNOWN_STATEMENT = '26000';
/** Sessions that hold connections meanwhile. A pooler hands out the one used last, or the one used longest ago. */
const HOLDERS = 4;
const TIMEOUT_MS = 5_000;

/** @throws the driver's error when the database does not answer */
export async function forgetsStatements(url: string): Promise<boolean> {
  const connecting = await connectionOf(url);
  const sessions = Array.from({ length: HOLDERS + 1 }, () => sessionOf(connecting));
  try {
    await Promise.all(sessions.map((each) => each.connect()));
    const [session, ...holders] = sessions;
    await session!.query(STATEMENT);
    // The connection that knows the statement may be taken by one of these.
    for (const holder of holders) await holder.query('begin');
    await session!.query(STATEMENT);
    return false;
  } catch (error) {
    if ((error as Partial<pg.DatabaseError>).code === UNKNOWN_STATEMENT) return true;
    throw error;
  } finally {
    await Promise.all(sessions.map((each) => each.end().catch(() => undefined)));
  }
}

function sessionOf(connecting: Connecting): pg.Client {
  const session = new pg.Client({
    ...connecting,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // A lost connection is the error of its query.
  return session.on('error', () => undefined);
}
