// Rewards of the connected wallet, and its open claims.
import { useEffect, useState } from 'react';
import type { ClaimProgress, RewardEntry, Signer } from '../chain/rewards.js';
import { useConfig } from '../config.js';
import { explain } from '../trade/problems.js';
import { refreshBalances } from '../wallet/balances.js';
import { loaded } from '../load.js';
import { forgetClaim, storeClaim, storedClaims, type ClaimKind } from './stored-claims.js';

/** By mint: the stage of a claim, or a problem as a user message. */
export type Stages = Readonly<Record<string, { readonly stage?: string; readonly problem?: string }>>;

interface Claim {
  readonly mint: string;
  /** Undefined before the wallet has signed. */
  readonly signature: string | undefined;
}

export function useRewards(signer: Signer) {
  const config = useConfig();
  const { wallet } = signer;
  const [entries, setEntries] = useState<readonly RewardEntry[]>();
  const [problem, setProblem] = useState<string>();
  const [loading, setLoading] = useState(false);
  const [stages, setStages] = useState<Stages>({});
  const [isClaimingAll, setIsClaimingAll] = useState(false);
  const say = (mint: string, said: Stages[string]) => setStages((before) => ({ ...before, [mint]: said }));

  /** Ends the claim and shows its result. */
  const end = ({ mint, signature }: Claim, said: Stages[string]) => {
    if (signature !== undefined) forgetClaim(wallet, signature);
    say(mint, said);
    void refreshBalances();
  };
  const fail = (claimed: Claim, error: unknown) => {
    const { name, status } = error as { name?: string; status?: string };
    if (name === 'ClaimEndedError' && status !== undefined) end(claimed, { stage: status });
    // Keep a claim with an unknown outcome, to look it up again later.
    else say(claimed.mint, { problem: explain(error) });
  };

  useEffect(() => {
    const stopping = new AbortController();
    for (const kept of storedClaims(wallet)) {
      say(kept.mint, { stage: 'IN_PROGRESS' });
      loaded(() => import('../chain/rewards.js'))
        .then(({ resumeClaim }) => resumeClaim(config, kept, stopping.signal))
        .then(
          () => end(kept, { stage: 'COMPLETED' }),
          (error: unknown) => {
            if (!stopping.signal.aborted) fail(kept, error);
          },
        );
    }
    return () => stopping.abort();
  }, [wallet, config]);

  /** Called only on a click, because it asks the wallet for a signature. */
  async function load(): Promise<void> {
    setLoading(true);
    setProblem(undefined);
    try {
      const { readRewards } = await loaded(() => import('../chain/rewards.js'));
      setEntries(await readRewards(signer));
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setLoading(false);
    }
  }

  /**
   * Shows its own problem.
   *
   * @param onSigned called once the wallet has signed
   * @returns whether the wallet was asked for a signature
   */
  async function claim(mint: string, kind: ClaimKind, onSigned?: () => void): Promise<boolean> {
    let signature: string | undefined;
    let isAsked = false;
    say(mint, { stage: 'initiated' });
    try {
      const chain = await loaded(() => import('../chain/rewards.js'));
      await chain.claim(config, signer, {
        mint,
        kind,
        unclaimed: unclaimedOf(entries, mint, kind),
        onProgress: (progress) => {
          isAsked = true;
          if (progress.stage === 'signed') {
            ({ signature } = progress);
            storeClaim(wallet, { mint, kind, signature, transaction: [...progress.transaction] });
            onSigned?.();
          }
          say(mint, { stage: stageOf(progress) });
        },
      });
      end({ mint, signature }, { stage: 'COMPLETED' });
      setEntries((before) =>
        before?.map((entry) => (entry.tokenInfo.address === mint ? paid(entry, kind) : entry)),
      );
    } catch (error) {
      fail({ mint, signature }, error);
    }
    return isAsked;
  }

  /** Claims the SOL of every token. The wallet is asked for one signature at a time, and the payments run side by side. */
  async function claimAll(): Promise<void> {
    setIsClaimingAll(true);
    await claimEach();
    setIsClaimingAll(false);
  }

  async function claimEach(): Promise<void> {
    for (const { tokenInfo, unclaimedRewards } of entries ?? []) {
      if (unclaimedRewards.sol === 0n) continue;
      const isStopped = await new Promise<boolean>((resolve) => {
        void claim(tokenInfo.address, 'SOL', () => resolve(false)).then(resolve);
      });
      // The wallet did not sign. What the service refuses, its row says; another token's rewards can still be paid.
      if (isStopped) return;
    }
  }
  return { entries, problem, loading, stages, load, claim, claimAll, isClaimingAll };
}

const stageOf = (progress: ClaimProgress) => (progress.stage === 'status' ? progress.status : progress.stage);

function unclaimedOf(
  entries: readonly RewardEntry[] | undefined,
  mint: string,
  kind: ClaimKind,
): bigint | undefined {
  const unclaimed = entries?.find(({ tokenInfo }) => tokenInfo.address === mint)?.unclaimedRewards;
  return kind === 'SOL' ? unclaimed?.sol : unclaimed?.token;
}

function paid(entry: RewardEntry, kind: ClaimKind): RewardEntry {
  const nothing = kind === 'SOL' ? { sol: 0n, solUi: '0' } : { token: 0n, tokenUi: '0' };
  return { ...entry, unclaimedRewards: { ...entry.unclaimedRewards, ...nothing } };
}
