import { useState } from 'react';
import type { RewardEntry } from '../chain/rewards.js';
import { displayText, tokens } from '../format.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { Art } from '../parts/art.js';
import Dialog from '../parts/dialog.js';
import { Link } from '../parts/link.js';
import { TokenName } from '../parts/token-name.js';
import { rewardsWords } from '../words/rewards.js';
import type { ClaimKind } from './stored-claims.js';
import type { Stages } from './use-rewards.js';

const copy = rewardsWords;
const ENDED = new Set(['COMPLETED', 'FAILED', 'EXPIRED']);

/** Whether a claim in this stage is under way. */
export const isOpen = (stage: string | undefined) => stage !== undefined && !ENDED.has(stage);

interface RewardRowProps {
  readonly entry: RewardEntry;
  readonly said: Stages[string] | undefined;
  /** Whether all rewards are being claimed: the wallet is asked for one signature after the other. */
  readonly isWaiting: boolean;
  readonly onClaim: (kind: ClaimKind) => void;
}

export function RewardRow({ entry, said, isWaiting, onClaim }: RewardRowProps) {
  const [burning, setBurning] = useState(false);
  const { unclaimedRewards, allTimeRewards, tokenInfo } = entry;
  const symbol = displayText(tokenInfo.symbol);
  const { stage, problem } = said ?? {};
  const busy = isWaiting || isOpen(stage);
  const hasTokens = unclaimedRewards.token > 0n;
  return (
    <li className="reward" data-mint={tokenInfo.address}>
      <div className="tok">
        <Art seed={tokenInfo.address} size={40} />
        <div className="t">
          <Link href={`/t/${tokenInfo.address}`} className="plain">
            <TokenName name={tokenInfo.name} symbol={tokenInfo.symbol} />
          </Link>
        </div>
      </div>
      <div className="amounts">
        <span className="strong">
          <Sol lamports={unclaimedRewards.sol} />
        </span>
        <small>
          {copy.allTime} <Sol lamports={allTimeRewards.sol} />
        </small>
      </div>
      {allTimeRewards.token > 0n && (
        <div className="amounts">
          <Tokens units={unclaimedRewards.token} symbol={symbol} />
          <small>
            {copy.allTime} <Tokens units={allTimeRewards.token} />
          </small>
        </div>
      )}
      <div className="actions">
        {unclaimedRewards.sol > 0n && (
          <button type="button" className="btn primary lesser" disabled={busy} onClick={() => onClaim('SOL')}>
            {copy.claimSol}
          </button>
        )}
        {hasTokens && (
          <>
            <button
              type="button"
              className="btn quiet lesser"
              disabled={busy}
              onClick={() => onClaim('TOKEN')}
            >
              {copy.claimTokens}
            </button>
            <details className="rest">
              <summary aria-label={copy.more}>⋯</summary>
              <button
                type="button"
                className="btn danger lesser"
                disabled={busy}
                onClick={() => setBurning(true)}
              >
                {copy.burnTokens}
              </button>
            </details>
          </>
        )}
      </div>
      <div className="stage" role="status" data-testid={`claim-${tokenInfo.symbol}`}>
        {stage !== undefined && (
          <span className={stage === 'COMPLETED' ? 'up' : 'gold'}>
            {copy.stage[stage as keyof typeof copy.stage]}
          </span>
        )}
        {problem !== undefined && <span className="down">{problem}</span>}
      </div>
      {burning && (
        <Dialog title={copy.burnTitle} onClose={() => setBurning(false)}>
          <div className="account">
            <p>{copy.burnText(`${tokens(unclaimedRewards.token)} ${symbol}`)}</p>
            <button
              type="button"
              className="btn danger"
              onClick={() => {
                setBurning(false);
                onClaim('BURN');
              }}
            >
              {copy.burnYes}
            </button>
            <button type="button" className="btn quiet" onClick={() => setBurning(false)}>
              {copy.keep}
            </button>
          </div>
        </Dialog>
      )}
    </li>
  );
}
