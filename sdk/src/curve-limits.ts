// How far sales can move a curve, by what its vault holds.
import type { AccountInfo } from '@solana/web3.js';
import { ByteReader } from './codec.js';
import { TOKEN_SUPPLY } from './generated/constants.js';
import { TOKEN_PROGRAM_ADDRESS } from './generated/program.js';

const TOKEN_ACCOUNT_SIZE = 165;
const AMOUNT = 64;

type Account = AccountInfo<Uint8Array> | null | undefined;

/** The token reserve with every token back in the vault; undefined where there is no vault. */
export function highestVirtualToken(virtualToken: bigint, vault: Account): bigint | undefined {
  const inVault = tokensIn(vault);
  return inVault === undefined ? undefined : virtualToken + TOKEN_SUPPLY - inVault;
}

/** Token units in a token account; undefined when it is none. */
export function tokensIn(account: Account): bigint | undefined {
  if (account?.owner.equals(TOKEN_PROGRAM_ADDRESS) !== true) return undefined;
  if (account.data.length !== TOKEN_ACCOUNT_SIZE) return undefined;
  return new ByteReader(account.data, AMOUNT).u64();
}
