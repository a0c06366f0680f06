// Runs beside the page: reads a curve's account and its trades, and compares them.
import {
  createDeployment,
  curveAddress,
  CurveStatus,
  decodePropertiesAccount,
  decodeTokenOwnerAccount,
} from '@curvekit/sdk/kit';
import { MarketClient } from '@curvekit/sdk/market';
import type { Address, MaybeEncodedAccount } from '@solana/kit';
import { rpc, rpcUrlOf } from '../chain/rpc.js';
import type { MarketConfig, TokenSummary, Trade } from '../market/types.js';
import { compare, otherFees, type Listed, type OnChain, type Reserves, type Verdict } from './replay.js';

export interface ReplayOrder {
  readonly token: Pick<TokenSummary, 'mint' | 'initialVirtualToken'>;
  readonly config: Pick<MarketConfig, 'deployment' | 'rpcUrl'>;
}

export type ReplayNews =
  | { readonly at: 'reading'; readonly trades: number }
  | { readonly at: 'again' | 'node-silent' | 'service-silent' }
  | {
      readonly at: 'done';
      readonly verdict: Verdict;
      readonly slot: number;
      /** Whether there are trades that were not read. */
      readonly isCut: boolean;
      readonly isSoldOut: boolean;
      /** Trades that paid another fee than `feeBps`, today's. */
      readonly otherFees: number;
      readonly feeBps: number;
    };

const PAGE = 200;
const MOST_TRADES = 20_000;
/** The node and the index hear of a trade at different times. */
const ATTEMPTS = 4;
const AGAIN_MS = 2_500;

const tell = (news: ReplayNews) => postMessage(news);

onmessage = ({ data }: MessageEvent<ReplayOrder>) => {
  replay(data).then(tell, (error: unknown) => {
    console.warn(error);
    tell({ at: error instanceof NodeProblem ? 'node-silent' : 'service-silent' });
  });
};

class NodeProblem extends Error {}

async function replay({ token, config }: ReplayOrder): Promise<ReplayNews> {
  const accounts = await addressesOf(token.mint, config.deployment);
  let listed: Listed | undefined;
  for (let attempt = 1; ; attempt += 1) {
    // Before the trades, so that the list has all that led to it.
    const { curve, today, feeBps } = await readChain(config, accounts).catch((error: unknown) => {
      throw new NodeProblem('the curve cannot be read', { cause: error });
    });
    listed = await readTrades(token.mint, curve.isSoldOut, listed);
    const launch = { today, virtualToken: BigInt(token.initialVirtualToken) };
    const verdict = compare(listed, curve, launch);
    const isClear = verdict.is === 'partly' || (verdict.is === 'same' && verdict.newer === 0);
    if (isClear || attempt === ATTEMPTS) {
      const isCut = !(listed.hasFirst && listed.hasNewest);
      const { slot, isSoldOut } = curve;
      return {
        at: 'done',
        verdict,
        slot,
        isCut,
        isSoldOut,
        otherFees: otherFees(listed.trades, feeBps),
        feeBps,
      };
    }
    // A fork can drop trades between two pages.
    if (verdict.is === 'parts') listed = undefined;
    tell({ at: 'again' });
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function addressesOf(mint: string, { graduation, ...given }: MarketConfig['deployment']) {
  const deployment = await createDeployment({ ...given, graduation });
  const { address } = await curveAddress(mint as Address, deployment);
  return { deployment, curve: address, properties: deployment.properties.address };
}

interface Accounts {
  readonly context: { readonly slot: number };
  readonly value: readonly ({ readonly owner: Address; readonly data: readonly [string, 'base64'] } | null)[];
}

/** The curve and the launchpad's settings, at one slot. @throws when the node does not know the curve or the settings */
async function readChain(
  config: ReplayOrder['config'],
  { deployment, curve, properties }: Awaited<ReturnType<typeof addressesOf>>,
): Promise<{ readonly curve: OnChain; readonly today: Reserves; readonly feeBps: number }> {
  const { context, value } = await rpc<Accounts>(rpcUrlOf(config), 'getMultipleAccounts', [
    [curve, properties],
    { encoding: 'base64', commitment: 'confirmed' },
  ]);
  const account = (address: Address, index: number): MaybeEncodedAccount => {
    const found = value[index];
    if (found === null || found === undefined) return { address, exists: false };
    const data = Uint8Array.from(atob(found.data[0]), (letter) => letter.charCodeAt(0));
    return { address, exists: true, programAddress: found.owner, data } as MaybeEncodedAccount;
  };
  const state = decodeTokenOwnerAccount(account(curve, 0), deployment);
  const settings = decodePropertiesAccount(account(properties, 1), deployment);
  if (state === null || settings === null) throw new Error('the node knows no such curve');
  const { virtualSol, virtualToken, initialized } = state;
  return {
    curve: { virtualSol, virtualToken, slot: context.slot, isSoldOut: initialized !== CurveStatus.Trading },
    today: { virtualSol: settings.initialVirtualSol, virtualToken: settings.initialVirtualToken },
    feeBps: settings.platformFeeBps,
  };
}

/**
 * The trades on the curve: of a curve that still trades the newest ones, of a sold-out one the first ones, because those in its pool
 * come after them.
 *
 * @param before what an earlier attempt has read
 */
async function readTrades(mint: string, isSoldOut: boolean, before: Listed | undefined): Promise<Listed> {
  const market = new MarketClient({ baseUrl: location.origin });
  const order = isSoldOut ? 'oldest' : 'newest';
  const newest = isSoldOut ? undefined : before?.trades.at(-1)?.id;
  const found: Trade[] = [];
  let cursor: string | undefined;
  let isWhole = false;
  while (!isWhole && found.length < MOST_TRADES) {
    const page = await market.tokenTrades(mint, { order, limit: PAGE, fresh: true, cursor });
    const onCurve = page.items.filter(({ venue }) => venue === 'curve');
    const known = onCurve.findIndex(({ id }) => id === newest);
    if (before !== undefined && known >= 0)
      return { ...before, trades: [...before.trades, ...[...found, ...onCurve.slice(0, known)].reverse()] };
    found.push(...onCurve);
    tell({ at: 'reading', trades: found.length });
    cursor = page.next ?? undefined;
    isWhole = cursor === undefined || (isSoldOut && onCurve.length < page.items.length);
  }
  return isSoldOut
    ? { trades: found, hasFirst: true, hasNewest: isWhole }
    : { trades: found.reverse(), hasFirst: isWhole, hasNewest: true };
}
