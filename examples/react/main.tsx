// The page of one token: index.html?mint=MINT. It trades with a browser wallet.
import { createRoot } from 'react-dom/client';
import { Connection, PublicKey } from '@solana/web3.js';
import { Token } from './token.js';
import { connectWallet } from './wallet.js';

const query = new URLSearchParams(location.search);
const root = createRoot(document.getElementById('root')!);
const wallet = await connectWallet();
if (wallet === undefined) root.render(<p>This browser has no Solana wallet.</p>);
else {
  const [rpc = 'http://127.0.0.1:8899', wsEndpoint] = query.getAll('rpc');
  const connection = new Connection(rpc, { commitment: 'confirmed', ...(wsEndpoint && { wsEndpoint }) });
  const mint = new PublicKey(query.get('mint') ?? '');
  root.render(<Token connection={connection} mint={mint} wallet={wallet} />);
}
