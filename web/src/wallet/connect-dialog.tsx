import { useSelectedWalletAccount } from '@solana/react';
import { useConnect, type UiWallet } from '@wallet-standard/react';
import { useState } from 'react';
import { explain } from '../errors.js';
import { Dialog } from '../parts/dialog.js';
import { dialogWords } from '../words/wallet-dialogs.js';

const WALLETS = [
  ['Phantom', 'https://phantom.com/download'],
  ['Solflare', 'https://www.solflare.com/download/'],
  ['Backpack', 'https://backpack.app/download'],
] as const;

export function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  const [, setAccount, wallets] = useSelectedWalletAccount();
  const [problem, setProblem] = useState<string>();
  return (
    <Dialog title={dialogWords.connectTitle} onClose={onClose}>
      {wallets.length === 0 && (
        <>
          <p className="muted">{dialogWords.none}</p>
          <ul className="wallets">
            {WALLETS.map(([name, url]) => (
              <li key={name}>
                <a className="link" href={url} target="_blank" rel="noopener noreferrer">
                  {dialogWords.get(name)} ↗
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
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
    </Dialog>
  );
}

interface ChoiceProps {
  readonly wallet: UiWallet;
  readonly onAccount: (account: UiWallet['accounts'][number] | undefined) => void;
  readonly onProblem: (problem: string | undefined) => void;
}

function Choice({ wallet, onAccount, onProblem }: ChoiceProps) {
  const [isConnecting, connect] = useConnect(wallet);
  const choose = async () => {
    onProblem(undefined);
    try {
      const [account] = await connect();
      if (account === undefined) onProblem(dialogWords.noAccount);
      else onAccount(account);
    } catch (error) {
      onProblem(explain(error));
    }
  };
  return (
    <button type="button" disabled={isConnecting} onClick={() => void choose()}>
      <img src={wallet.icon} alt="" width="28" height="28" />
      {wallet.name}
    </button>
  );
}
