// What the RPC node says of the recipients of a settlement: their lamports, and whether their token account can be paid.
import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, SystemProgram, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress } from '@curvekit/sdk';
import { readRecipients } from '#app/graduation/settlement/payment/recipients.js';
import { ACCOUNT_RENT, startAccountsNode, type AccountsNode } from '#tests/node/accounts-node.js';
import { keyOf } from '../../../differential/call.js';
import { tokenAccount } from '../../../differential/token-account.js';

interface Account {
  readonly program: PublicKey;
  readonly data: Uint8Array;
}

describe('the recipients of a settlement', () => {
  const [mint, treasury, lp, creator, other] = Array.from(
    { length: 5 },
    () => Keypair.generate().publicKey,
  ) as [PublicKey, PublicKey, PublicKey, PublicKey, PublicKey];
  let node: AccountsNode;
  before(async () => {
    node = await startAccountsNode();
  });
  after(() => node.stop());
  beforeEach(() => node.reset());

  const accountOf = (owner: PublicKey, state = 1): Account => ({
    program: TOKEN_PROGRAM_ID,
    data: tokenAccount({ mint: keyOf(mint), owner: keyOf(owner), state }),
  });
  const hold = (wallet: PublicKey, lamports: bigint, account?: Account) => {
    node.put('confirmed', wallet, lamports);
    if (account !== undefined)
      node.put('confirmed', associatedTokenAddress(wallet, mint).address, ACCOUNT_RENT, account);
  };
  const read = (addresses: Partial<Parameters<typeof readRecipients>[2]> = {}) =>
    readRecipients(new Connection(node.url), mint, { treasury, lp, creator, ...addresses });

  it('have their own lamports and token accounts each', async () => {
    hold(treasury, 1n, accountOf(treasury));
    hold(lp, 2n, accountOf(lp, 2));
    hold(creator, 3n);
    expect(await read()).to.deep.equal({
      treasury: { address: treasury, lamports: 1n, tokenAccount: 'open' },
      lp: { address: lp, lamports: 2n, tokenAccount: 'foreign' },
      creator: { address: creator, lamports: 3n, tokenAccount: 'missing' },
    });
  });

  it('may be missing: one that is not set, and one without an account', async () => {
    hold(lp, 2n, accountOf(lp));
    expect(await read({ treasury: undefined })).to.deep.equal({
      treasury: undefined,
      lp: { address: lp, lamports: 2n, tokenAccount: 'open' },
      creator: { address: creator, lamports: 0n, tokenAccount: 'missing' },
    });
    expect((await read({ lp: undefined })).lp).to.equal(undefined);
  });

  const unusable = [
    { what: 'that another wallet owns', account: accountOf(other), state: 'foreign' },
    { what: 'that is frozen', account: accountOf(creator, 2), state: 'foreign' },
    {
      what: 'of another size',
      account: { ...accountOf(creator), data: Buffer.alloc(170) },
      state: 'foreign',
    },
    {
      what: 'that only has lamports',
      account: { ...accountOf(creator), program: SystemProgram.programId },
      state: 'missing',
    },
  ];
  for (const { what, account, state } of unusable)
    it(`are not paid to an address ${what}`, async () => {
      hold(creator, 3n, account);
      expect((await read()).creator.tokenAccount).to.equal(state);
    });
});
