/** The program-derived addresses among the accounts of the programs, and their seeds. */

/** A seed in a short form, before conversion to the IDL's form. */
export type Seed =
  /** A constant of one of the IDLs, by name. */
  | { readonly constant: string }
  /** The address of another account of the instruction, by name. */
  | { readonly account: string }
  | { readonly text: string }
  | { readonly address: string }
  | { readonly bytes: readonly number[] };

export interface Pda {
  readonly seeds: readonly Seed[];
  /** Address of the program that derives it. Default: the program of the IDL. */
  readonly program?: string;
}

/** A program's accounts by name. A name means the same account in every instruction. */
export interface KnownAccounts {
  readonly pdas: Readonly<Record<string, Pda>>;
  /** Fixed addresses that the program's Anchor attributes do not contain. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Accounts that the caller chooses, or that seeds cannot describe. */
  readonly free: readonly string[];
}

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ATA_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const METAPLEX = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';
const CURVE_PROGRAM = 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH';
const RAYDIUM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';

const MINT: Seed = { account: 'token_mint' };
const POOL: Seed = { account: 'pool' };

const logAuthority: Pda = { seeds: [{ constant: 'LOGGING_AUTHORITY_SEED' }] };
const curve: Pda = { seeds: [{ constant: 'TOKEN_OWNER_SEED' }, MINT] };
const vault = associatedTokenAccount('token_owner_pda');
const communityWsol: Pda = { seeds: [{ constant: 'COMMUNITY_WSOL_SEED' }, MINT] };
const communityToken: Pda = { seeds: [{ constant: 'COMMUNITY_TOKEN_SEED' }, MINT] };

export const CURVE_ACCOUNTS: KnownAccounts = {
  pdas: {
    properties_account: { seeds: [{ constant: 'SETTINGS_SEED' }] },
    log_authority_account: logAuthority,
    logging_authority: logAuthority,
    token_owner_pda: curve,
    owner_token_account: vault,
    token_owner_token_account: vault,
    user_token_account: associatedTokenAccount('payer_account'),
    fee_token_account: associatedTokenAccount('fee_account'),
    token_metadata: { seeds: [{ text: 'metadata' }, { address: METAPLEX }, MINT], program: METAPLEX },
    after_migration_community_contribution_wsol_storage: communityWsol,
    after_migration_community_contribution_token_storage: communityToken,
  },
  addresses: {},
  free: ['payer_account', 'token_mint'],
};

export const GRADUATION_ACCOUNTS: KnownAccounts = {
  pdas: {
    fee_receiver: { seeds: [{ constant: 'FEE_RECEIVER_SEED' }] },
    pool_creator: { seeds: [{ constant: 'POOL_CREATOR_SEED' }] },
    token_owner_pda: { ...curve, program: CURVE_PROGRAM },
    token_owner_token_account: vault,
    tokens: { seeds: [{ constant: 'TOKENS_SEED' }, MINT] },
    wrapped_sol: { seeds: [{ constant: 'WRAPPED_SOL_SEED' }, MINT] },
    community_wsol_storage: { ...communityWsol, program: CURVE_PROGRAM },
    community_token_storage: { ...communityToken, program: CURVE_PROGRAM },
    amm_config: { seeds: [{ text: 'amm_config' }, { bytes: [0, 0] }], program: RAYDIUM },
    amm_authority: { seeds: [{ text: 'vault_and_lp_mint_auth_seed' }], program: RAYDIUM },
    pool: { seeds: [{ constant: 'POOL_SEED' }, MINT] },
    lp_mint: { seeds: [{ text: 'pool_lp_mint' }, POOL], program: RAYDIUM },
    lp_tokens: associatedTokenAccount('pool_creator', 'lp_mint'),
    observation: { seeds: [{ text: 'observation' }, POOL], program: RAYDIUM },
  },
  addresses: {
    amm_authority: 'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
    pool_fee_receiver: 'DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8',
  },
  // The order of the two vaults depends on the order of the mints' bytes, which seeds cannot describe.
  free: ['payer_account', 'token_mint', 'pool_vault_0', 'pool_vault_1'],
};

function associatedTokenAccount(owner: string, mint = 'token_mint'): Pda {
  return {
    seeds: [{ account: owner }, { address: TOKEN_PROGRAM }, { account: mint }],
    program: ATA_PROGRAM,
  };
}
