// The story of one token: set up, launched, traded, graduated, migrated.
import {
  adminSetProperties,
  fetchProperties,
  graduatesByItself,
  parseSol,
  parseTokens,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type LocalCluster } from '@curvekit/testing';
import { percent, shortened, sol, tokens } from './format.js';
import { graduationOf } from './graduation.js';
import { Launch, SLIPPAGE_BPS, type Person } from './launch.js';
import { costOf, DemoError, refusedStep, type Step } from './step.js';

const IDENTITY = { name: 'Curvekit Demo', symbol: 'CURVE', uri: 'https://curvekit.example/demo.json' };

/** The wallets of the story. */
export interface Cast {
  readonly operator: Person;
  readonly creator: Person;
  readonly alice: Person;
  readonly bob: Person;
  readonly carol: Person;
  /** Has never held the token before the pool opens. */
  readonly dave: Person;
  /** Has little SOL, and no role in the launch. */
  readonly passerBy: Person;
}

/** Runs the story. Sets default properties on a cluster without properties. Yields each step as it happens. */
export async function* tellStory(cluster: LocalCluster, launch: Launch, cast: Cast): AsyncGenerator<Step> {
  const { operator, creator, alice, bob, carol } = cast;

  yield await deployed(cluster);
  yield await setProperties(cluster);
  yield await launch.create(creator);

  yield await launch.buy(alice, quoteBuy(await launch.state(), parseSol('2'), SLIPPAGE_BPS));

  // Carol buys between Bob's quote and his transaction. His limit protects him.
  const stale = quoteBuy(await launch.state(), parseSol('5'), SLIPPAGE_BPS);
  yield await launch.buy(carol, quoteBuy(await launch.state(), parseSol('10'), SLIPPAGE_BPS));
  yield await refusedStep(cluster, 'bob, at his old quote', 'SlippageError', launch.buy(bob, stale));
  yield await launch.buy(bob, quoteBuyExactOut(await launch.state(), parseTokens('100000000'), SLIPPAGE_BPS));

  const half = (await launch.balanceOf(alice)) / 2n;
  yield await launch.sell(alice, quoteSell(await launch.state(), half, SLIPPAGE_BPS));
  yield await launch.buy(alice, quoteBuy(await launch.state(), parseSol('8'), SLIPPAGE_BPS));
  const all = await launch.balanceOf(bob);
  yield await launch.sell(bob, quoteSell(await launch.state(), all, SLIPPAGE_BPS), true);

  // More SOL than the rest of the curve costs.
  yield await launch.buy(carol, quoteBuy(await launch.state(), parseSol('100'), SLIPPAGE_BPS));

  const late = { solToSpend: parseSol('1'), minTokenToReceive: 1n };
  yield await refusedStep(cluster, 'bob, too late', 'TradingClosed', launch.buy(bob, late));
  if (graduatesByItself(cluster.deployment)) yield* graduationOf(cluster, launch, cast);
  else yield await launch.migrate(operator);
}

/** The token of the story. */
export function storyLaunch(cluster: LocalCluster): Launch {
  return new Launch(cluster, IDENTITY);
}

/** Funds all wallets of the story. The operator is the cluster's payer. */
export async function fundedCast(cluster: LocalCluster): Promise<Cast> {
  const person = async (name: string, funds: string): Promise<Person> => ({
    name,
    wallet: await cluster.fundedWallet(parseSol(funds)),
  });
  const [creator, alice, bob, carol, dave, passerBy] = await Promise.all([
    person('creator', '1'),
    person('alice', '20'),
    person('bob', '20'),
    person('carol', '120'),
    person('dave', '20'),
    person('passer-by', '0.02'),
  ]);
  return {
    operator: { name: 'operator', wallet: cluster.payer },
    creator,
    alice,
    bob,
    carol,
    dave,
    passerBy,
  };
}

/** The step that shows the deployed program. */
async function deployed({ connection, kind, programId }: LocalCluster): Promise<Step> {
  const account = await connection.getAccountInfo(programId);
  if (account?.executable !== true) throw new DemoError(`there is no program at ${programId.toBase58()}`);
  return {
    title: 'cluster is up',
    change: `${kind}, program ${shortened(programId.toBase58())} deployed`,
    outcome: 'done',
  };
}

/** A cluster with properties keeps them: this sets the same values again. */
async function setProperties(cluster: LocalCluster): Promise<Step> {
  const { connection, deployment, admin } = cluster;
  const properties = (await fetchProperties(connection, { deployment })) ?? DEFAULT_PROPERTIES;
  const { initialVirtualSol, initialVirtualToken, platformFeeBps } = properties;
  const params = { initialVirtualSol, initialVirtualToken, platformFeeBps, deployment };
  const sent = await cluster.send(adminSetProperties(params), [admin]);
  return {
    title: 'operator sets up',
    change: `curves start at ${sol(initialVirtualSol, 0)} SOL, ${tokens(initialVirtualToken, 0)} tokens\nfee ${percent(platformFeeBps)} % of every trade`,
    outcome: 'done',
    ...costOf(sent),
  };
}
