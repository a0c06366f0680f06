import { useSelectedWalletAccount } from '@solana/react';
import type { StandardConnectFeature } from '@wallet-standard/features';
import { getWalletFeature, type UiWallet } from '@wallet-standard/react';
import { useEffect, useState } from 'react';
import { explain } from '../errors.js';
import Dialog from '../parts/dialog.js';
import { dialogWords } from '../words/wallet-dialogs.js';
import { walletProblems } from '../words/wallet-problems.js';
import { MOBILE_WALLET } from './android.js';
import { walletProblemOf } from './problems.js';

const CONNECT = 'standard:connect';
const LOOK_AT_WALLET_MS = 10_000;

/** Where each can be had, and its link that opens a page in the browser of the wallet's app. */
const WALLETS = [
  ['Phantom', 'https://phantom.com/download', 'https://phantom.app/ul/browse/'],
  ['Solflare', 'https://www.solflare.com/download/', 'https://solflare.com/ul/v1/browse/'],
  ['Backpack', 'https://backpack.app/download', 'https://backpack.app/ul/v1/browse/'],
] as const;

/** On phones, wallets are apps: only their own browsers have them in pages. An iPad says that it is a Mac. */
const isOnPhone = () =>
  /Android|iPhone|iPad/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

const inApp = (browse: string) =>
  `${browse}${encodeURIComponent(location.href)}?ref=${encodeURIComponent(location.origin)}`;

export function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  const [, setAccount, wallets] = useSelectedWalletAccount();
  const [problem, setProblem] = useState<string>();
  return (
    <Dialog title={dialogWords.connectTitle} onClose={onClose}>
      <ul className="wallets">
        {wallets.map((wallet) => (
          <li key={wallet.name}>
            <Choice wallet={wallet} onAccount={setAccount} onProblem={setProblem} />
          </li>
        ))}
      </ul>
      {problem !== undefined && (
        <p role="alert" className="alert">
          {problem}
        </p>
      )}
      {wallets.every(({ name }) => name === MOBILE_WALLET) && (
        <>
          <p className="muted">{isOnPhone() ? dialogWords.noneOnPhone : dialogWords.none}</p>
          <ul className="wallets">
            {WALLETS.map(([name, url, browse]) => (
              <li key={name}>
                {isOnPhone() && (
                  <a className="link" href={inApp(browse)} rel="noopener">
                    {dialogWords.open(name)} ↗
                  </a>
                )}
                <a className="link" href={url} target="_blank" rel="noopener noreferrer">
                  {dialogWords.get(name)} ↗
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

interface ChoiceProps {
  readonly wallet: UiWallet;
  readonly onAccount: (account: UiWallet['accounts'][number] | undefined) => void;
  readonly onProblem: (problem: string | undefined) => void;
}

function Choice({ wallet, onAccount, onProblem }: ChoiceProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [hasAnswered, setHasAnswered] = useState(false);
  const [account] = wallet.accounts;
  useEffect(() => {
    if (hasAnswered && account !== undefined) onAccount(account);
  }, [hasAnswered, account, onAccount]);
  const choose = async () => {
    onProblem(undefined);
    setIsAsking(true);
    // Some wallets never answer after the user has closed their window. Then the user can ask again.
    const late = setTimeout(() => {
      onProblem(dialogWords.look);
      setIsAsking(false);
    }, LOOK_AT_WALLET_MS);
    try {
      // Not `useConnect`: it sends no second request while the first is unanswered.
      const feature = getWalletFeature(wallet, CONNECT) as StandardConnectFeature[typeof CONNECT];
      const { accounts } = await feature.connect();
      if (accounts.length === 0) onProblem(dialogWords.noAccount);
      else setHasAnswered(true);
    } catch (error) {
      const problem = walletProblemOf(error);
      onProblem(problem === undefined ? explain(error) : walletProblems[problem]);
    } finally {
      clearTimeout(late);
      setIsAsking(false);
    }
  };
  return (
    <button type="button" disabled={isAsking} onClick={() => void choose()}>
      <img src={wallet.icon} alt="" width="28" height="28" />
      {wallet.name}
    </button>
  );
}
