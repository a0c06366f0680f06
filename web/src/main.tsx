import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { App } from './app.js';
import { ConfigContext } from './config.js';
import { market } from './market/api.js';
import { first } from './market/first.js';
import type { MarketConfig } from './market/types.js';
import { setClusterTime } from './now.js';
import { Away, Opening } from './opening.js';
import { loadPage } from './pages.js';
import { routeOf } from './router.js';
import { applyTheme } from './theme.js';
import { surviveTranslation } from './translated.js';
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

async function open(root: Root): Promise<void> {
  const read = market.config();
  // When loading fails, rendering loads the page again and shows the error.
  const loading = loadPage(routeOf(location.pathname)).catch(() => undefined);
  if (first.config === undefined) root.render(<Opening />);
  else void loading.then(() => show(root, first.config!));
  try {
    const [config] = await Promise.all([read as Promise<MarketConfig>, loading]);
    setClusterTime(config.clusterTime);
    show(root, config);
  } catch {
    if (first.config === undefined) root.render(<Away onRetry={() => void open(root)} />);
  }
}

function show(root: Root, config: MarketConfig): void {
  root.render(
    <StrictMode>
      <ConfigContext value={config}>
        <App />
      </ConfigContext>
    </StrictMode>,
  );
}

applyTheme();
surviveTranslation();
const element = document.getElementById('root');
if (element !== null) void open(createRoot(element));
