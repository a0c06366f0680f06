import { address, sol } from '../format.js';
import { words } from '../words/words.js';
import { useBalances } from './balances.js';
import { openAccount, openConnect, useAccount } from './store.js';

export function WalletButton() {
  const account = useAccount();
  const balances = useBalances(account?.address);
  if (account === undefined) {
    return (
      <button type="button" className="btn primary" onClick={openConnect}>
        {words.wallet.connect}
      </button>
    );
  }
  return (
    <button
      type="button"
      className="btn quiet"
      data-testid="account"
      title={account.address}
      aria-label={words.wallet.button(address(account.address))}
      onClick={openAccount}
    >
      <span className="mono">{address(account.address)}</span>
      {balances !== undefined && <span> · {sol(balances.sol)} SOL</span>}
    </button>
  );
}
