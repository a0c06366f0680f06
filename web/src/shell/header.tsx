import { chainName, useConfig } from '../config.js';
import { Link } from '../parts/link.js';
import { Logo } from '../parts/logo.js';
import { NAVIGATION } from '../pages/table.js';
import type { Route } from '../router.js';
import { WalletButton } from '../wallet/button.js';
import { words } from '../words/words.js';
import { Search } from './search.js';

function Links({ page }: { readonly page: Route['page'] }) {
  return NAVIGATION.map(({ name, path, link }) => (
    <Link key={name} href={path} current={name === page}>
      {link}
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
