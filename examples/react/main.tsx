// The page of one token: index.html?mint=MINT, and &launchpad=URL for another launchpad. It trades with a browser wallet.
import { createRoot } from 'react-dom/client';
import { PublicKey } from '@solana/web3.js';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { Token } from './token.js';
import { connectWallet } from './wallet.js';

const query = new URLSearchParams(location.search);
const root = createRoot(document.getElementById('root')!);
const wallet = await connectWallet();
if (wallet === undefined) root.render(<p>This browser has no Solana wallet.</p>);
else {
  const launchpad = await connectLaunchpad(query.get('launchpad') ?? 'http://127.0.0.1:3000');
  const mint = new PublicKey(query.get('mint') ?? '');
  root.render(<Token launchpad={launchpad} mint={mint} wallet={wallet} />);
}
