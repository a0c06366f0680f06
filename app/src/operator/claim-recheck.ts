// Rechecks claims on another RPC node, when the service's own RPC node cannot decide them.
import { Reconciler } from '../claims/reconciler.js';
import { ClaimsRepository, type Claim, type ClaimState } from '../claims/repository.js';
import { withContext } from './chain-work.js';
import { CommandError } from './errors.js';
import type { Terminal } from './terminal.js';

export interface Recheck {
  readonly signature: string;
  readonly state: ClaimState;
  /** Why this RPC node cannot decide either; null when it can, or when the claim can still land. */
  readonly undecided: string | null;
}

const PAGE = 256;

/** Rechecks one claim, or all claims in progress. @throws CommandError when the claim does not exist */
export function recheckClaims(
  terminal: Terminal,
  rpcUrl: string,
  signature: string | undefined,
): Promise<Recheck[]> {
  return withContext(
    terminal,
    async (context) => {
      const repository = new ClaimsRepository(context.database);
      const reconciler = new Reconciler(context, { repository });
      const { signal } = new AbortController();
      const recheck = async (claim: Claim): Promise<Recheck> => {
        const of = { signature: claim.signature };
        if (claim.state !== 'IN_PROGRESS') return { ...of, state: claim.state, undecided: null };
        try {
          const { state, undecided = null } = await reconciler.lookForEnd(claim, signal);
          return { ...of, state, undecided };
        } catch (error) {
          // Continue with the next claim.
          return { ...of, state: claim.state, undecided: (error as Error).message };
        }
      };
      const rechecked: Recheck[] = [];
      for await (const claim of wanted(repository, signature)) rechecked.push(await recheck(claim));
      return rechecked;
    },
    rpcUrl,
  );
}

async function* wanted(repository: ClaimsRepository, signature: string | undefined): AsyncGenerator<Claim> {
  if (signature !== undefined) {
    const claim = await repository.find(signature);
    if (claim === undefined)
      throw new CommandError(`there is no claim ${signature}; \`curvekit claims list\` shows them`);
    yield claim;
    return;
  }
  let page: Claim[];
  let after: Claim | undefined;
  do {
    page = await repository.open(PAGE, after);
    yield* page;
    after = page.at(-1);
  } while (page.length === PAGE);
}
