// Checks whether recipients can receive their parts.
import { ACCOUNT_SIZE, TOKEN_PROGRAM_ID, unpackAccount } from '@solana/spl-token';
import type { AccountInfo, Connection, PublicKey } from '@solana/web3.js';
import { associatedTokenAddress } from '@curvekit/sdk';

export interface Recipient {
  readonly address: PublicKey;
  /** Its balance in lamports. */
  readonly lamports: bigint;
  /**
   * State of its associated token account. `foreign`: it has another owner, is frozen, or is not a token account of the
   * usual size.
   */
  readonly tokenAccount: 'open' | 'missing' | 'foreign';
}

/** All recipients of a settlement. The treasury and the LP address are undefined when not configured. */
export interface Recipients {
  readonly treasury: Recipient | undefined;
  readonly lp: Recipient | undefined;
  readonly creator: Recipient;
}

export async function readRecipients(
  connection: Connection,
  mint: PublicKey,
  addresses: {
    readonly treasury: PublicKey | undefined;
    readonly lp: PublicKey | undefined;
    readonly creator: PublicKey;
  },
): Promise<Recipients> {
  const { treasury, lp, creator } = addresses;
  const wallets = [treasury, lp, creator];
  const accounts = await connection.getMultipleAccountsInfo(
    wallets.flatMap((wallet) => {
      const known = wallet ?? creator;
      return [known, associatedTokenAddress(known, mint).address];
    }),
    'confirmed',
  );
  const recipient = (address: PublicKey, index: number): Recipient => ({
    address,
    lamports: BigInt(accounts[2 * index]?.lamports ?? 0),
    tokenAccount: stateOf(address, mint, accounts[2 * index + 1] ?? null),
  });
  return {
    treasury: treasury && recipient(treasury, 0),
    lp: lp && recipient(lp, 1),
    creator: recipient(creator, 2),
  };
}

function stateOf(
  owner: PublicKey,
  mint: PublicKey,
  account: AccountInfo<Buffer> | null,
): Recipient['tokenAccount'] {
  // Anyone can send lamports to the address before the account exists.
  if (account === null || !account.owner.equals(TOKEN_PROGRAM_ID)) return 'missing';
  if (account.data.length !== ACCOUNT_SIZE) return 'foreign';
  const unpacked = unpackAccount(associatedTokenAddress(owner, mint).address, account);
  return unpacked.owner.equals(owner) && !unpacked.isFrozen ? 'open' : 'foreign';
}
