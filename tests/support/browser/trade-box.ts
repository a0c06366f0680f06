// The page of a token that trades, with a wallet and without.
import type { Keypair } from '@solana/web3.js';
import type { Page } from 'playwright-core';
import { launchToken } from './chain.js';
import { enter } from './people.js';
import { useVisits } from './stage.js';
import type { TestWallet } from './wallets.js';

/** Launches the token before the tests. What a test has opened is closed after it. */
export function useTradeBox() {
  let path = '';
  const visit = useVisits();

  before(async () => {
    path = `/t/${(await launchToken('Trade Winds', 'WINDS')).address}`;
  });

  return {
    visit,
    /** The token's page. */
    path: () => path,
    at: async (where = path): Promise<Page> => (await visit(where)).page,
    /** A page whose wallet signs in the test. */
    withWallet: async (keypair: Keypair, rest: Partial<TestWallet> = {}, where = path): Promise<Page> => {
      const { page } = await visit('');
      await enter(page, where, { keypair, ...rest });
      return page;
    },
  };
}
