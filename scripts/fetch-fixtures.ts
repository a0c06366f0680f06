// Fetches the binaries that local clusters need and the repository does not contain: the Metaplex Token Metadata
// program, and the AMM for graduated curves.
import { parseArgs } from 'node:util';
import {
  AmmUnavailableError,
  ensureAmmProgram,
  ensureMetaplexProgram,
  MetaplexUnavailableError,
  type AmmBinary,
} from '@curvekit/testing';

const USAGE = `Usage: fetch-fixtures [--json] [--help]

Makes .cache/mpl_token_metadata.so available, the Metaplex Token Metadata program, and verifies its SHA-256. When it
isn't there, it is taken out of a published crate by cargo, or else read from Solana's public mainnet cluster.
Does the same for the AMM, from the file that CURVEKIT_CPMM_SO names, .cache/, or the public mainnet cluster. Without the
AMM everything works but graduation.

  --json    print one JSON object: path, sha256, source (cache, cargo or cluster), and amm with the same, or null
  --help    print this`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help === true) {
    console.log(USAGE);
    return;
  }
  const binary = await ensureMetaplexProgram({ log: (line) => console.error(line) });
  const amm = await ammOrNull();
  if (values.json === true) console.log(JSON.stringify({ ...binary, amm }));
  else for (const found of [binary, amm]) if (found !== null) console.log(found.path);
}

async function ammOrNull(): Promise<AmmBinary | null> {
  try {
    return await ensureAmmProgram({ log: (line) => console.error(line) });
  } catch (error) {
    if (!(error instanceof AmmUnavailableError)) throw error;
    console.error(`graduation is left out: ${error.message.replaceAll('\n', ' ')}`);
    return null;
  }
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
