import type { UiWalletAccount } from '@wallet-standard/react';
import { useSignMessage } from '@solana/react';
import type { Signer } from '../chain/rewards.js';
import { ClockNote } from '../clock/note.js';
import { Sol } from '../parts/amounts.js';
import { Notice } from '../parts/notice.js';
import { useSigning } from '../wallet/use-sign.js';
import { rewardsWords } from '../words/rewards.js';
import { isOpen, RewardRow } from './reward-row.js';
import { useRewards } from './use-rewards.js';

const copy = rewardsWords;

export function Mine({ account }: { readonly account: UiWalletAccount }) {
  const signMessage = useSignMessage(account);
  const signer: Signer = {
    wallet: account.address,
    signMessage: (message) => signMessage({ message }),
    sign: useSigning(account),
  };
  const { entries, problem, loading, stages, load, claim, claimAll, isClaimingAll } = useRewards(signer);
  const alert = (
    <>
      <ClockNote />
      {problem !== undefined && (
        <p className="alert" role="alert" data-testid="problem">
          {problem}
        </p>
      )}
    </>
  );
  if (entries === undefined) {
    return (
      <div className="card sign-in">
        <button type="button" className="btn primary" disabled={loading} onClick={() => void load()}>
          {copy.sign}
        </button>
        <p className="muted">{copy.signHint}</p>
        {Object.values(stages).some(({ stage }) => stage === 'IN_PROGRESS') && (
          <p className="gold" role="status">
            {copy.resumed}
          </p>
        )}
        {alert}
      </div>
    );
  }
  const claimable = entries.reduce((sum, { unclaimedRewards }) => sum + unclaimedRewards.sol, 0n);
  const withSol = entries.filter(({ unclaimedRewards }) => unclaimedRewards.sol > 0n);
  const isClaiming = Object.values(stages).some(({ stage }) => isOpen(stage));
  const allTime = entries.reduce((sum, { allTimeRewards }) => sum + allTimeRewards.sol, 0n);
  return (
    <>
      <div className="card reward-total">
        <dl>
          <div>
            <dt>{copy.claimable}</dt>
            <dd data-testid="claimable">
              <Sol lamports={claimable} />
            </dd>
          </div>
          <div className="lesser-fact">
            <dt>{copy.allTime}</dt>
            <dd>
              <Sol lamports={allTime} />
            </dd>
          </div>
        </dl>
        {withSol.length > 1 && (
          <button
            type="button"
            className="btn primary"
            disabled={isClaiming || isClaimingAll}
            onClick={() => void claimAll()}
          >
            {copy.claimAll}
          </button>
        )}
        <button type="button" className="btn quiet" disabled={loading} onClick={() => void load()}>
          {copy.refresh}
        </button>
      </div>
      {alert}
      {entries.length === 0 ? (
        <div className="card">
          <Notice title={copy.empty} text={copy.emptyHint} />
        </div>
      ) : (
        <ul className="card clipped">
          {entries.map((entry) => (
            <RewardRow
              key={entry.tokenInfo.address}
              entry={entry}
              said={stages[entry.tokenInfo.address]}
              isWaiting={isClaimingAll}
              onClaim={(kind) => void claim(entry.tokenInfo.address, kind)}
            />
          ))}
        </ul>
      )}
    </>
  );
}
