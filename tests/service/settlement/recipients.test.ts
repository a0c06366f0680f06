// What the RPC node says of the recipients of a settlement: their lamports, and whether their token account can be paid.
import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, SystemProgram, type AccountInfo, type Connection, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress } from '@curvekit/sdk';
import { readRecipients } from '#app/settlement/payment/recipients.js';
import { keyOf } from '../../differential/call.js';
import { tokenAccount } from '../../differential/token-account.js';

type Account = Pick<AccountInfo<Buffer>, 'owner' | 'lamports' | 'data'>;

describe('the recipients of a settlement', () => {
  const [mint, treasury, lp, creator, other] = Array.from(
    { length: 5 },
    () => Keypair.generate().publicKey,
  ) as [PublicKey, PublicKey, PublicKey, PublicKey, PublicKey];
  const accounts = new Map<string, Account>();
  const connection = {
    getMultipleAccountsInfo: (keys: readonly PublicKey[], commitment: string) => {
      expect(commitment).to.equal('confirmed');
      return Promise.resolve(keys.map((key) => accounts.get(key.toBase58()) ?? null));
    },
  } as unknown as Connection;
  beforeEach(() => accounts.clear());

  const accountOf = (owner: PublicKey, state = 1): Account => ({
    ...{ owner: TOKEN_PROGRAM_ID, lamports: 2_039_280 },
    data: Buffer.from(tokenAccount({ mint: keyOf(mint), owner: keyOf(owner), state })),
  });
  const hold = (wallet: PublicKey, lamports: number, account?: Account) => {
    accounts.set(wallet.toBase58(), { owner: SystemProgram.programId, lamports, data: Buffer.alloc(0) });
    if (account !== undefined) accounts.set(associatedTokenAddress(wallet, mint).address.toBase58(), account);
  };
  const read = (addresses: Partial<Parameters<typeof readRecipients>[2]> = {}) =>
    readRecipients(connection, mint, { treasury, lp, creator, ...addresses });

  it('have their own lamports and token accounts each', async () => {
    hold(treasury, 1, accountOf(treasury));
    hold(lp, 2, accountOf(lp, 2));
    hold(creator, 3);
    expect(await read()).to.deep.equal({
      treasury: { address: treasury, lamports: 1n, tokenAccount: 'open' },
      lp: { address: lp, lamports: 2n, tokenAccount: 'foreign' },
      creator: { address: creator, lamports: 3n, tokenAccount: 'missing' },
    });
  });

  it('may be missing: one that is not set, and one without an account', async () => {
    hold(lp, 2, accountOf(lp));
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
      account: { ...accountOf(creator), owner: SystemProgram.programId },
      state: 'missing',
    },
  ];
  for (const { what, account, state } of unusable)
    it(`are not paid to an address ${what}`, async () => {
      hold(creator, 3, account);
      expect((await read()).creator.tokenAccount).to.equal(state);
    });
});
