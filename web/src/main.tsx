import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/fields.css';
import './styles/tables.css';
import './styles/shell.css';
import './styles/board.css';
import './styles/skeletons.css';
import './styles/token.css';
import './styles/trade.css';
import './styles/forms.css';
import { render } from 'preact';
import { App } from './app.js';
import { ConfigContext } from './config.js';
import { keepAskedLanguage } from './language.js';
import { takeRate } from './dollars.js';
import { market } from './market/api.js';
import { first } from './market/first.js';
import type { MarketConfig } from './market/types.js';
import { setClusterTime } from './now.js';
import { registerOffline } from './offline.js';
import { loadPage } from './pages.js';
import { routeOf } from './router.js';
import { applyTheme } from './theme.js';
import { surviveTranslation } from './translated.js';
import { Logo } from './parts/logo.js';
import { Notice } from './parts/notice.js';
import { words } from './words/words.js';

/** After the first paint and what it needs. */
const CALM_MS = 5_000;

/** Preact's own `render` takes over the elements of the document. That of `react-dom` draws new ones in their place. */
async function open(root: HTMLElement): Promise<void> {
  const read = market.config();
  // When loading fails, rendering loads the page again and shows the error.
  const loading = loadPage(routeOf(location.pathname)).catch(() => undefined);
  if (first.config === undefined) render(<Opening />, root);
  else void loading.then(() => show(root, first.config!));
  try {
    const [config] = await Promise.all([read as Promise<MarketConfig>, loading]);
    setClusterTime(config.clusterTime);
    takeRate(config);
    show(root, config);
  } catch {
    if (first.config === undefined) render(<Away onRetry={() => void open(root)} />, root);
  }
}

function show(root: HTMLElement, config: MarketConfig): void {
  render(
    <ConfigContext value={config}>
      <App />
    </ConfigContext>,
    root,
  );
}

applyTheme();
keepAskedLanguage();
surviveTranslation();
const element = document.getElementById('root');
if (element !== null) void open(element);
setTimeout(registerOffline, CALM_MS);

/** A placeholder until the service's configuration is loaded, with the size of the later content. */
function Opening() {
  return (
    <>
      <header className="top">
        <div className="row">
          <span className="brand">
            <Logo />
          </span>
        </div>
      </header>
      <main className="page" aria-busy="true">
        <p className="sr" role="status">
          {words.loading}
        </p>
      </main>
    </>
  );
}

function Away({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <main className="page">
      <div role="alert">
        <Notice title={words.away.title} text={words.away.text} level={1}>
          <button className="btn primary" type="button" onClick={onRetry}>
            {words.retry}
          </button>
        </Notice>
      </div>
    </main>
  );
}
