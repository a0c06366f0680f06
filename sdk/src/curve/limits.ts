// Computes how far sales can move a curve, from its vault's balance.
import type { AccountInfo } from '../chain/types.js';
import { ByteReader } from '../codec/borsh.js';
import { TOKEN_SUPPLY } from '../generated/constants.js';
import { TOKEN_PROGRAM_ADDRESS } from '../generated/program.js';

const TOKEN_ACCOUNT_SIZE = 165;
const AMOUNT = 64;

type Account = AccountInfo<Uint8Array> | null | undefined;

/** The virtual token reserve if every token returned to the vault. Undefined when there is no vault. */
export function highestVirtualToken(virtualToken: bigint, vault: Account): bigint | undefined {
  const inVault = tokensIn(vault);
  return inVault === undefined ? undefined : virtualToken + TOKEN_SUPPLY - inVault;
}

/** Token units in a token account. Undefined when the account is not a token account. */
export function tokensIn(account: Account): bigint | undefined {
  if (account?.owner.equals(TOKEN_PROGRAM_ADDRESS) !== true) return undefined;
  if (account.data.length !== TOKEN_ACCOUNT_SIZE) return undefined;
  return new ByteReader(account.data, AMOUNT).u64();
}
