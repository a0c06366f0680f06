// Fetches what the local clusters need and the repository doesn't hold: the Metaplex Token Metadata program.
import { parseArgs } from 'node:util';
import { ensureMetaplexProgram, MetaplexUnavailableError } from '@curvekit/sdk/testing';

const USAGE = `Usage: fetch-fixtures [--json] [--help]

Makes .cache/mpl_token_metadata.so available, the Metaplex Token Metadata program, and verifies its SHA-256. When it
isn't there, it is taken out of a published crate by cargo, or else read from Solana's public mainnet cluster.

  --json    print one JSON object: path, sha256, source (cache, cargo or cluster)
  --help    print this`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help === true) {
    console.log(USAGE);
    return;
  }
  const binary = await ensureMetaplexProgram({ log: (line) => console.error(line) });
  console.log(values.json === true ? JSON.stringify(binary) : binary.path);
}

main().catch((error: unknown) => {
  if (error instanceof MetaplexUnavailableError) {
    console.error(error.message);
    process.exitCode = 1;
  } else if (
    error instanceof TypeError &&
    String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
  ) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  } else throw error;
});
