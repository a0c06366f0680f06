// The instructions of other programs that the SDK sends, by their layouts.
import { COMPUTE_BUDGET } from '../checks/programs.js';
import { PublicKey } from '../chain/keys.js';
import type { InstructionLayout } from '../codec/instruction.js';

interface OneAccount {
  readonly account: PublicKey;
}
interface Payment extends OneAccount {
  readonly payer: PublicKey;
}
type Foreign<Accounts, Args = object> = InstructionLayout<Accounts, Args>;

const bytes = (...values: number[]) => Uint8Array.from(values);

/** Of the System program. */
export const CREATE_ACCOUNT: Foreign<Payment, { lamports: bigint; space: bigint; owner: PublicKey }> = {
  discriminator: /* @__PURE__ */ bytes(0, 0, 0, 0),
  accounts: { payer: 'ws', account: 'ws' },
  fields: { lamports: 'u64', space: 'u64', owner: 'pubkey' },
};
export const ASSIGN: Foreign<OneAccount, { owner: PublicKey }> = {
  discriminator: /* @__PURE__ */ bytes(1, 0, 0, 0),
  accounts: { account: 'ws' },
  fields: { owner: 'pubkey' },
};
export const TRANSFER: Foreign<Payment, { lamports: bigint }> = {
  discriminator: /* @__PURE__ */ bytes(2, 0, 0, 0),
  accounts: { payer: 'ws', account: 'w' },
  fields: { lamports: 'u64' },
};
export const ADVANCE_NONCE: Foreign<OneAccount & { sysvar: PublicKey; authority: PublicKey }> = {
  discriminator: /* @__PURE__ */ bytes(4, 0, 0, 0),
  accounts: { account: 'w', sysvar: '', authority: 's' },
  fields: {},
};
export const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111';
export const ALLOCATE: Foreign<OneAccount, { space: bigint }> = {
  discriminator: /* @__PURE__ */ bytes(8, 0, 0, 0),
  accounts: { account: 'ws' },
  fields: { space: 'u64' },
};

export const CREATE_TOKEN_ACCOUNT_IF_MISSING: Foreign<
  Payment & { owner: PublicKey; mint: PublicKey; systemProgram: PublicKey; tokenProgram: PublicKey }
> = {
  discriminator: /* @__PURE__ */ bytes(1),
  accounts: { payer: 'ws', account: 'w', owner: '', mint: '', systemProgram: '', tokenProgram: '' },
  fields: {},
};

export const CLOSE_ACCOUNT: Foreign<OneAccount & { receiver: PublicKey; owner: PublicKey }> = {
  discriminator: /* @__PURE__ */ bytes(9),
  accounts: { account: 'w', receiver: 'w', owner: 's' },
  fields: {},
};
export const SYNC_NATIVE: Foreign<OneAccount> = {
  discriminator: /* @__PURE__ */ bytes(17),
  accounts: { account: 'w' },
  fields: {},
};

/** Of the Compute Budget program. */
export const COMPUTE_BUDGET_ADDRESS = /* @__PURE__ */ new PublicKey(COMPUTE_BUDGET);
export const SET_COMPUTE_UNIT_LIMIT: Foreign<object, { units: number }> = {
  discriminator: /* @__PURE__ */ bytes(2),
  accounts: {},
  fields: { units: 'u32' },
};
export const SET_COMPUTE_UNIT_PRICE: Foreign<object, { microLamports: bigint }> = {
  discriminator: /* @__PURE__ */ bytes(3),
  accounts: {},
  fields: { microLamports: 'u64' },
};
