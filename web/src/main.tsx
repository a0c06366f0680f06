import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { App } from './app.js';
import { ConfigContext } from './config.js';
import { market } from './market/api.js';
import { first } from './market/first.js';
import type { MarketConfig } from './market/types.js';
import { setClusterTime } from './now.js';
import { Away, Opening } from './opening.js';
import { applyTheme } from './theme.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/board.css';
import './styles/token.css';
import './styles/trade.css';
import './styles/forms.css';

async function open(root: Root): Promise<void> {
  if (first.config === undefined) root.render(<Opening />);
  else show(root, first.config);
  try {
    const config = (await market.config()) as MarketConfig;
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
const element = document.getElementById('root');
if (element !== null) void open(createRoot(element));
