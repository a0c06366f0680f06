import { chainName, useConfig } from '../config.js';
import { Link } from '../parts/link.js';
import { Logo } from '../parts/logo.js';
import { PAGES } from '../pages/table.js';
import type { Route } from '../router.js';
import { pageLinks } from '../words/pages.js';
import { words } from '../words/words.js';
import { Search } from './search.js';
import { address, sol } from '../format.js';
import { useBalances } from '../wallet/balances.js';
import { openAccount, openConnect, useAccount } from '../wallet/store.js';

const NAVIGATION = Object.keys(pageLinks) as (keyof typeof pageLinks)[];

function Links({ page }: { readonly page: Route['page'] }) {
  return NAVIGATION.map((name) => (
    <Link key={name} href={PAGES[name]} current={name === page}>
      {pageLinks[name]}
    </Link>
  ));
}

export function Header({ page }: { readonly page: Route['page'] }) {
  const config = useConfig();
  return (
    <>
      <header className="top">
        <div className="row">
          <Link className="brand" href="/">
            <Logo />
            {config.serviceName}
          </Link>
          <nav aria-label={words.pages}>
            <Links page={page} />
          </nav>
          <Search />
          <div className="end">
            {config.chain !== 'solana:mainnet' && <span className="pill">{chainName(config)}</span>}
            <WalletButton />
          </div>
        </div>
      </header>
      <nav className="phone-tabs" aria-label={words.pages}>
        <Links page={page} />
      </nav>
    </>
  );
}

function WalletButton() {
  const account = useAccount();
  const balances = useBalances(account?.address);
  if (account === undefined) {
    return (
      <button type="button" className="btn quiet" onClick={openConnect}>
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
