// `claim [MINT]`
import { PublicKey } from '@solana/web3.js';
import type { Command } from 'commander';
import { keypairWallet } from '@curvekit/sdk';
import { ApiError, RewardsClient, type ClaimProgress, type RewardEntry } from '@curvekit/sdk/rewards';
import {
  keypairOf,
  serviceOf,
  textOf,
  withKeypair,
  work,
  type Registration,
  type Session,
} from '../command.js';
import { errorDocument, EXIT, exitCodeOf, messageOf, UsageError } from '../errors.js';
import { plain, solText, tokenText } from '../output.js';
import { address, oneOf } from '../values.js';

const KINDS = ['sol', 'token'] as const;
/** Each claim takes as long as the network needs to finalize its payment. */
const TOKENS_AT_ONCE = 4;

interface Reward {
  readonly mint: PublicKey;
  readonly symbol: string;
  readonly claimType: 'SOL' | 'TOKEN';
  /** Lamports or token base units. */
  readonly unclaimed: bigint;
}

export function registerClaim(program: Command, registration: Registration): void {
  const command = program
    .command('claim')
    .description(
      "claim the wallet's rewards at a service, and wait until they are paid, about 15 s, four tokens at once",
    )
    .argument('[mint]', 'address of the token; all tokens else')
    .option('--service <url>', "the service that owes them, if not the launchpad's")
    .option('--kind <kind>', 'sol or token only')
    .option('--burn', 'burn the claimed tokens instead of keeping them')
    .option('--simulate', 'show what is unclaimed; ask the service for no claim');
  work(withKeypair(command), registration, runClaim);
}

async function runClaim(session: Session): Promise<number> {
  const { args, options, print, progress } = session;
  const service = serviceOf(session);
  if (service === undefined)
    throw new UsageError('--service', 'is missing; give the URL of the service, or set LAUNCHPAD_URL');
  const mint = args[0] === undefined ? undefined : address('mint', args[0]);
  const kindText = textOf(options, 'kind');
  const kind = kindText === undefined ? undefined : oneOf('--kind', kindText, KINDS);
  if (options['burn'] === true && kind === 'sol')
    throw new UsageError('--burn', 'is given with --kind sol; only tokens can be burned');
  const wallet = keypairWallet(keypairOf(session));
  const client = new RewardsClient({ baseUrl: service });
  const entries = await client.rewards(wallet);
  const rewards = entries
    .filter(({ tokenInfo }) => mint === undefined || tokenInfo.address === mint.toBase58())
    .flatMap(rewardsIn)
    .filter(({ claimType }) => kind === undefined || claimType === kind.toUpperCase());
  if (rewards.length === 0) {
    progress('nothing is unclaimed');
    return EXIT.done;
  }
  if (options['simulate'] === true) {
    for (const reward of rewards)
      print({ simulated: true, ...reward }, `unclaimed  ${amountText(reward, reward.unclaimed)}`);
    return EXIT.done;
  }
  const exitCodes: number[] = [];
  const queue = byToken(rewards);
  const claimNext = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      for (const reward of next) {
        if (session.terminal.stopped.aborted) return;
        exitCodes.push(await claimOne(session, { client, wallet }, reward, mint === undefined));
      }
    }
  };
  await Promise.all(Array.from({ length: TOKENS_AT_ONCE }, claimNext));
  return Math.max(EXIT.done, ...exitCodes);
}

/** The service pays one claim of a wallet and token at a time. */
function byToken(rewards: readonly Reward[]): Reward[][] {
  const tokens = new Map<string, Reward[]>();
  for (const reward of rewards) {
    const key = reward.mint.toBase58();
    tokens.set(key, [...(tokens.get(key) ?? []), reward]);
  }
  return [...tokens.values()];
}

/**
 * Claims one reward. A failure does not stop the other claims.
 *
 * @param isOneOfMany one that the service cannot pay now, such as less than the network fee, is left: a later claim takes it
 * @returns the exit code
 */
async function claimOne(
  { connection, options, terminal, print, progress }: Session,
  { client, wallet }: { client: RewardsClient; wallet: ReturnType<typeof keypairWallet> },
  reward: Reward,
  isOneOfMany: boolean,
): Promise<number> {
  const { mint, claimType, unclaimed } = reward;
  const burnToken = claimType === 'TOKEN' && options['burn'] === true;
  const request = { tokenAddress: mint, claimType, unclaimed, burnToken };
  const onProgress = (step: ClaimProgress) =>
    progress(`${claimType} of ${plain(reward.symbol)}: ${progressText(step)}`);
  let signature: string | undefined;
  try {
    const paid = await client.claim(wallet, request, {
      connection,
      signal: terminal.stopped,
      onProgress: (step) => {
        if (step.stage !== 'initiated') ({ signature } = step);
        onProgress(step);
      },
    });
    const verb = burnToken ? 'burned ' : 'claimed';
    // The treasury pays the network fee, and the claim of SOL gives it back.
    const fee = claimType === 'SOL' && unclaimed > paid.amount ? unclaimed - paid.amount : 0n;
    const lessFee = fee === 0n ? '' : ` (less ${solText(fee)} network fee)`;
    print(
      { ...reward, burned: burnToken, networkFee: fee, ...paid },
      `${verb}  ${amountText(reward, paid.amount)}${lessFee}  ${paid.signature}`,
    );
    return EXIT.done;
  } catch (error) {
    const isSigned = terminal.stopped.aborted && signature !== undefined;
    const message = isSigned
      ? `claim ${signature} was signed and may still be paid; \`claim --simulate\` tells what is unclaimed`
      : plain(messageOf(error, undefined));
    const isLeft = isOneOfMany && error instanceof ApiError && error.code === 'CLAIM_ERROR';
    progress(`${isLeft ? 'left    ' : 'curvekit-trade:'} ${amountText(reward, unclaimed)}: ${message}`);
    if (options['json'] === true) print({ ...reward, ...errorDocument(error, message) }, '');
    if (isLeft) return EXIT.done;
    return isSigned ? EXIT.unknown : exitCodeOf(error, terminal.stopped);
  }
}

function rewardsIn({ tokenInfo, unclaimedRewards: { sol, token } }: RewardEntry): Reward[] {
  const of = { mint: new PublicKey(tokenInfo.address), symbol: tokenInfo.symbol };
  const both: Reward[] = [
    { ...of, claimType: 'SOL', unclaimed: sol },
    { ...of, claimType: 'TOKEN', unclaimed: token },
  ];
  return both.filter(({ unclaimed }) => unclaimed > 0n);
}

function amountText({ mint, symbol, claimType }: Reward, amount: bigint): string {
  const text = claimType === 'SOL' ? solText(amount) : tokenText(amount);
  return `${text} of ${plain(symbol)} (${mint.toBase58()})`;
}

function progressText(step: ClaimProgress): string {
  switch (step.stage) {
    case 'initiated':
      return `initiated  ${step.signature}`;
    case 'status':
      return step.status.toLowerCase().replace('_', ' ');
    case 'unknown':
      return `the service does not tell for now: ${plain(step.problem.message)}`;
    case 'signed':
    case 'submitted':
      return step.stage;
  }
}
