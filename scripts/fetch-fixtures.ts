// Fetches the binaries that local clusters need and the repository does not contain: the Metaplex Token Metadata
// program, and the AMM for graduated curves.
import { parseArgs } from 'node:util';
import {
  ammForLocalCluster,
  AmmUnavailableError,
  ensureAmmProgram,
  ensureMetaplexProgram,
  MetaplexUnavailableError,
} from '@curvekit/testing';

const USAGE = `Usage: fetch-fixtures [--quick] [--json] [--help]

Makes .cache/mpl_token_metadata.so available, the Metaplex Token Metadata program, and verifies its SHA-256. When it
isn't there, it is taken out of a published crate by cargo, or else read from Solana's public mainnet cluster.
Does the same for the AMM, Raydium's CPMM, from the file that CURVEKIT_CPMM_SO names, .cache/, or the public mainnet
cluster. Without it, pools of local clusters run on Curvekit's stand-in.

  --quick   accept the stand-in when the cluster does not answer within two seconds, and do not ask it again
  --json    print one JSON object: path, sha256, source (cache, cargo or cluster), and amm with the same
  --help    print this`;

/** Errors of the file system, which name no remedy. */
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC']);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help === true) {
    console.log(USAGE);
    return;
  }
  const log = (line: string) => console.error(line);
  const metaplex = await ensureMetaplexProgram({ log });
  const amm = await (values.quick === true
    ? ammForLocalCluster({ log, fetch: 'once' })
    : ensureAmmProgram({ log, fetch: 'always' }));
  if (values.json === true) console.log(JSON.stringify({ ...metaplex, amm }));
  else for (const { path } of [metaplex, amm]) console.log(path);
}

main().catch((error: unknown) => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof MetaplexUnavailableError || error instanceof AmmUnavailableError) {
    console.error(message);
    process.exitCode = 1;
  } else if (NOT_WRITABLE.has(code)) {
    console.error(`.cache cannot be written (${message}): make the folder writable`);
    process.exitCode = 1;
  } else if (error instanceof TypeError && code.startsWith('ERR_PARSE_ARGS')) {
    console.error(`${message}\n\n${USAGE}`);
    process.exitCode = 2;
  } else throw error;
});
