import { chainName, useConfig } from '../config.js';
import { Counted } from '../rewards/counted.js';
import { Mine } from '../rewards/mine.js';
import { openConnect, useAccount } from '../wallet/store.js';
import { canSign } from '../wallet/use-sign.js';
import { words } from '../words/words.js';
import { rewardsWords } from '../words/rewards.js';

const copy = rewardsWords;

export default function Rewards() {
  return (
    <>
      <div className="section">
        <h1>{copy.title}</h1>
      </div>
      <p className="muted intro">{copy.intro}</p>
      <Content />
    </>
  );
}

function Content() {
  const config = useConfig();
  const account = useAccount();
  if (account === undefined) {
    return (
      <div className="card sign-in">
        <p>{copy.connect}</p>
        <button type="button" className="btn primary" onClick={openConnect}>
          {words.wallet.connect}
        </button>
      </div>
    );
  }
  if (!account.chains.includes(config.chain))
    return <p className="alert warn">{words.trade.wrongNetwork(chainName(config))}</p>;
  if (!account.features.includes('solana:signMessage'))
    return <p className="alert warn">{copy.noSignMessage}</p>;
  if (!canSign(account)) return <p className="alert warn">{copy.onlySends}</p>;
  return (
    <>
      <Counted wallet={account.address} />
      <Mine key={account.address} account={account} />
    </>
  );
}
