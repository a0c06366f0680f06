// The page of one token: index.html?mint=MINT, else the launchpad's first one; ?launchpad=URL for another launchpad. It
// trades with a browser wallet, and shows the price without one.
import { createRoot } from 'react-dom/client';
import { PublicKey } from '@solana/web3.js';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { Token } from './token.js';
import { connectWallet } from './wallet.js';

const query = new URLSearchParams(location.search);
const root = createRoot(document.getElementById('root')!);
const wallet = await connectWallet();
const launchpad = await connectLaunchpad(query.get('launchpad') ?? 'http://127.0.0.1:3000');
const mint = query.get('mint') ?? (await launchpad.market.tokens()).items[0]?.mint;
if (mint === undefined) root.render(<p>This launchpad has no token yet. Add ?mint= to the address.</p>);
else root.render(<Token launchpad={launchpad} mint={new PublicKey(mint)} wallet={wallet} />);
