// Rewards of the connected wallet, and its claims under way.
import { useEffect, useState } from 'react';
import type { RewardEntry, Signer } from '../chain/rewards.js';
import { useConfig } from '../config.js';
import { explain } from '../errors.js';
import { refreshBalances } from '../wallet/balances.js';
import { forgetClaim, keepClaim, keptClaims, type ClaimKind } from './kept-claims.js';

/** By mint: a stage of the catalogue, or a problem in words. */
export type Stages = Readonly<Record<string, { readonly stage?: string; readonly problem?: string }>>;

export function useRewards(signer: Signer) {
  const config = useConfig();
  const { wallet } = signer;
  const [entries, setEntries] = useState<readonly RewardEntry[]>();
  const [problem, setProblem] = useState<string>();
  const [loading, setLoading] = useState(false);
  const [stages, setStages] = useState<Stages>({});
  const say = (mint: string, said: Stages[string]) => setStages((before) => ({ ...before, [mint]: said }));

  useEffect(() => {
    const stopping = new AbortController();
    for (const kept of keptClaims(wallet)) {
      say(kept.mint, { stage: 'IN_PROGRESS' });
      import('../chain/rewards.js')
        .then(({ resumeClaim }) => resumeClaim(config, kept, stopping.signal))
        .then((status) => {
          forgetClaim(wallet, kept.signature);
          say(kept.mint, { stage: status });
          void refreshBalances();
        })
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) say(kept.mint, { problem: explain(error) });
        });
    }
    return () => stopping.abort();
  }, [wallet, config]);

  /** A signature is asked for when a person asks for something, never by itself. */
  async function load(): Promise<void> {
    setLoading(true);
    setProblem(undefined);
    try {
      const { readRewards } = await import('../chain/rewards.js');
      setEntries(await readRewards(signer));
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setLoading(false);
    }
  }

  async function claim(mint: string, kind: ClaimKind): Promise<void> {
    let signature: string | undefined;
    say(mint, { stage: 'initiated' });
    try {
      const chain = await import('../chain/rewards.js');
      await chain.claim(config, signer, {
        mint,
        kind,
        unclaimed: unclaimedOf(entries, mint, kind),
        onStage: (stage) => say(mint, { stage }),
        onSigned: (signed) => {
          signature = signed.signature;
          keepClaim(wallet, { mint, kind, ...signed });
        },
      });
      say(mint, { stage: 'COMPLETED' });
      setEntries((before) =>
        before?.map((entry) => (entry.tokenInfo.address === mint ? paid(entry, kind) : entry)),
      );
      if (signature !== undefined) forgetClaim(wallet, signature);
    } catch (error) {
      const { name, status } = error as { name?: string; status?: string };
      // A claim that ended is over; one whose end is not known is looked up again.
      if (name === 'ClaimEndedError' && signature !== undefined) forgetClaim(wallet, signature);
      say(
        mint,
        name === 'ClaimEndedError' && status !== undefined ? { stage: status } : { problem: explain(error) },
      );
    } finally {
      void refreshBalances();
    }
  }
  return { entries, problem, loading, stages, load, claim };
}

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
