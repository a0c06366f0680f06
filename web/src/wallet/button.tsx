import { useSelectedWalletAccount } from '@solana/react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { address, sol } from '../format.js';
import { words } from '../words/words.js';
import { useBalances } from './balances.js';
import { ConnectDialog } from './lazy-connect-dialog.js';

const AccountDialog = lazy(() => import('./account-dialog.js'));

export function WalletButton() {
  const [account] = useSelectedWalletAccount();
  const [open, setOpen] = useState(false);
  const balances = useBalances(account?.address);
  // Connecting, or being disconnected from the wallet's side, ends the dialog.
  useEffect(() => setOpen(false), [account?.address]);
  if (account === undefined) {
    return (
      <>
        <button type="button" className="btn primary" onClick={() => setOpen(true)}>
          {words.wallet.connect}
        </button>
        {open && <ConnectDialog onClose={() => setOpen(false)} />}
      </>
    );
  }
  return (
    <>
      <button
        type="button"
        className="btn quiet"
        data-testid="account"
        title={account.address}
        aria-label={words.wallet.button(address(account.address))}
        onClick={() => setOpen(true)}
      >
        <span className="mono">{address(account.address)}</span>
        {balances !== undefined && <span> · {sol(balances.sol)} SOL</span>}
      </button>
      {open && (
        <Suspense>
          <AccountDialog account={account} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
