// `npm audit signatures`: whether the registry signed each installed package.
import { spawnSync } from 'node:child_process';
import { ROOT } from '../program/paths.js';

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Signatures {
  /** `unchecked`: the keys cannot be reached, or the registry does not publish any. */
  readonly are: 'verified' | 'wrong' | 'unchecked';
  readonly why: string;
}

const ARGS = ['audit', 'signatures', '--no-color', '--fetch-retries=1', '--fetch-timeout=20000'];
const TIMEOUT_MS = 180_000;
/** Errors of the network, and of Sigstore's key files. `EMISSINGSIGNATUREKEY` counts as wrong: one package's key is missing. */
const UNREACHABLE =
  /code (E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|5\d\d)|ERR_SOCKET_TIMEOUT|TUF_\w+)$/m;
const NO_KEYS = /found no dependencies to audit that were installed from a supported registry/;

export function npmSignatures(): Signatures {
  const { status, stdout, stderr, error } = spawnSync('npm', ARGS, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  if (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT')
    return { are: 'unchecked', why: `no answer in ${TIMEOUT_MS / 1_000} s` };
  return signaturesOf({ status, stdout: stdout ?? '', stderr: error?.message ?? stderr });
}

/** What the output says. An error that is not known counts as wrong. */
export function signaturesOf({ status, stdout, stderr }: Ended): Signatures {
  const said = stdout.split('\n').filter((line) => line.trim() !== '');
  if (status === 0)
    return { are: 'verified', why: said.filter((line) => /\bverified\b/.test(line)).join(', ') };
  const faults = stdout.search(/^\d+ packages? (has|have) (an? )?(missing|invalid) /m);
  if (faults >= 0) return { are: 'wrong', why: stdout.slice(faults).trim() };
  if (NO_KEYS.test(stderr)) return { are: 'unchecked', why: 'the registry publishes no keys' };
  const unreachable = UNREACHABLE.exec(stderr);
  if (unreachable !== null) {
    const [, code] = unreachable;
    const reason = /request to \S+ failed/.exec(stderr)?.[0] ?? code;
    return { are: 'unchecked', why: `the keys cannot be reached (${reason})` };
  }
  return { are: 'wrong', why: stderr.trim() };
}
