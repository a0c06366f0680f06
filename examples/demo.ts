// `npm run demo`: a token's whole life on a local cluster in this process. Then its history is rebuilt from the log records alone and
// compared with the chain: exit code 1 when they differ.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AccountLayout, MintLayout, NATIVE_MINT } from '@solana/spl-token';
import { ComputeBudgetProgram, Keypair, PublicKey } from '@solana/web3.js';
import type { TransactionInstruction, VersionedTransactionResponse } from '@solana/web3.js';
import * as sdk from '@curvekit/sdk';
import {
  DEFAULT_PROPERTIES,
  startLocalCluster,
  type LocalCluster,
  type SentTransaction,
} from '@curvekit/testing';
import { grouped, renderTable, right, showsColour, type Column } from '#app/operator/table.js';
import { clusterName, CommandError, runCommand } from '../scripts/command-line.js';

const HELP = `npm run demo [-- OPTIONS]

A token's life on a real local cluster: deployed program, launch, trades, graduation; then its history, rebuilt from the
program's log records alone and compared with the chain. Exit code 1 when they differ.

  --cluster WHERE  surfpool (the default), validator (solana-test-validator from PATH), or an RPC URL
  --json           one JSON document on standard output, every amount a string in lamports or smallest token units
  --help           print this`;
const IDENTITY = { name: 'Curvekit Demo', symbol: 'CURVE', uri: 'https://curvekit.example/demo.json' };
const TERMS = {
  afterMigrationFee: 100,
  afterMigrationBurnBp: 2_000,
  afterMigrationHoldersBp: 3_000,
  afterMigrationLpBp: 2_000,
};
const SLIPPAGE_BPS = 100;
const GRADUATE_UNITS = ComputeBudgetProgram.setComputeUnitLimit({ units: sdk.GRADUATE_COMPUTE_UNITS });

export interface Step {
  readonly title: string;
  readonly change: string;
  /** Of a trade, in lamports. */
  readonly platformFee?: bigint;
  /** The price afterwards, of the curve or the pool. */
  readonly price?: sdk.Price;
  readonly progressBps?: number;
  readonly computeUnits?: number;
  readonly bytes?: number;
  readonly signature?: string;
  /** The error of the program that refused. */
  readonly refusal?: { readonly code: number; readonly name: string };
}

/** A fraction as decimal text, rounded half up. */
function decimal(dividend: bigint, divisor: bigint, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const scaled = (2n * dividend * scale + divisor) / (2n * divisor);
  return (
    grouped(scaled / scale) + (digits === 0 ? '' : `.${(scaled % scale).toString().padStart(digits, '0')}`)
  );
}
const sol = (lamports: bigint, digits = 6): string => decimal(lamports, 10n ** 9n, digits);
const tokens = (units: bigint, digits = 2): string => decimal(units, 10n ** 6n, digits);
const percent = (bps: number): string => decimal(BigInt(bps), 100n, 2);
const shortened = (base58: string): string => `${base58.slice(0, 4)}…${base58.slice(-4)}`;

/** How many lamports an account gained; negative for a loss, transaction fees included. */
function lamportsGained({ transaction, meta }: VersionedTransactionResponse, account: PublicKey): bigint {
  const { writable = [], readonly = [] } = meta?.loadedAddresses ?? {};
  const keys = [...transaction.message.staticAccountKeys, ...writable, ...readonly];
  const index = keys.findIndex((key) => key.equals(account));
  return BigInt(meta?.postBalances[index] ?? 0) - BigInt(meta?.preBalances[index] ?? 0);
}

/** How many units of a mint an owner gained, in all its token accounts; negative for a loss. */
function tokensGained({ meta }: VersionedTransactionResponse, owner: PublicKey, mint: PublicKey): bigint {
  const held = (balances = meta?.preTokenBalances): bigint =>
    (balances ?? [])
      .filter((one) => one.owner === owner.toBase58() && one.mint === mint.toBase58())
      .reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n);
  return held(meta?.postTokenBalances) - held();
}

async function tokenBalance(
  { connection }: LocalCluster,
  owner: PublicKey,
  mint: PublicKey,
): Promise<bigint> {
  const account = await connection.getAccountInfo(sdk.associatedTokenAddress(owner, mint).address);
  return account === null ? 0n : AccountLayout.decode(account.data).amount;
}

const costOf = ({ computeUnits, bytes, signature }: SentTransaction) => ({ computeUnits, bytes, signature });

/** The step of an attempt that the program must refuse on chain. @throws CommandError when it succeeds */
async function refused(
  { connection }: LocalCluster,
  title: string,
  expected: string,
  attempt: Promise<unknown>,
): Promise<Step> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason as Error,
  );
  if (error === undefined)
    throw new CommandError(`${title}: went through, but must be refused with ${expected}`);
  if (!(error instanceof sdk.TransactionError) || error.reason !== expected) throw error;
  const { signature, code } = error as { readonly signature?: string; readonly code?: number };
  const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
  const sent = (await connection.getTransaction(signature!, options))!;
  // One byte for the number of signatures, then 64 bytes per signature.
  const bytes = 1 + 64 * sent.transaction.signatures.length + sent.transaction.message.serialize().length;
  return {
    title,
    change: `refused as expected: ${expected} (${code})`,
    refusal: { code: code!, name: expected },
    ...{ bytes, signature: signature!, computeUnits: sent.meta?.computeUnitsConsumed ?? 0 },
  };
}

interface Person {
  readonly name: string;
  readonly wallet: Keypair;
}

/** The operator sets up, a creator launches, three wallets trade, four attempts on the money are refused, a stranger graduates it. */
async function* story(
  cluster: LocalCluster,
  mintKey: Keypair,
  people: Record<string, Person>,
): AsyncGenerator<Step> {
  const { connection, deployment, admin, kind, programId, feeReceiver } = cluster;
  const { creator, alice, bob, carol, dave, passerBy } = people as Record<
    'creator' | 'alice' | 'bob' | 'carol' | 'dave' | 'passerBy',
    Person
  >;
  const mint = mintKey.publicKey;
  const state = async () => (await sdk.fetchCurveState(connection, mint, { deployment }))!;
  let initialVirtualToken: bigint;
  const stepOf = async (
    sent: SentTransaction,
    title: string,
    lines: readonly string[],
    platformFee?: bigint,
  ): Promise<Step> => {
    const curve = await state();
    initialVirtualToken ??= curve.virtualToken;
    const { progressBps } = sdk.graduationProgress(curve.virtualToken, initialVirtualToken);
    const change = lines.join('\n');
    return {
      title,
      change,
      ...(platformFee !== undefined && { platformFee }),
      price: sdk.priceOf(curve),
      progressBps,
      ...costOf(sent),
    };
  };
  const recordOf = <Kind extends sdk.CurveRecord['kind']>(sent: SentTransaction, of: Kind) => {
    const found = sdk.decodeRecords(sent.transaction, { deployment }).find(({ kind: is }) => is === of);
    return found!.data as Extract<sdk.CurveRecord, { kind: Kind }>['data'];
  };
  const sendBuy = ({ wallet }: Person, order: Pick<sdk.BuyQuote, 'solToSpend' | 'minTokenToReceive'>) =>
    cluster.send(sdk.buy({ payer: wallet.publicKey, mint, deployment, ...order }), [wallet]);
  const bought = async (
    person: Person,
    order: Pick<sdk.BuyQuote, 'solToSpend' | 'minTokenToReceive'>,
  ): Promise<Step> => {
    const sent = await sendBuy(person, order);
    const { solAmount, tokenAmount, fee } = recordOf(sent, 'trade');
    const left = order.solToSpend - solAmount;
    const lines = [`${person.name} +${tokens(tokenAmount)} CURVE for ${sol(solAmount)} SOL`];
    if (left > 0n)
      lines.push(`graduated: of ${sol(order.solToSpend, 0)} SOL ${person.name} keeps ${sol(left)}`);
    return stepOf(sent, `${person.name} buys`, lines, fee);
  };
  const buysFor = async (person: Person, amount: string) =>
    bought(person, sdk.quoteBuy(await state(), sdk.parseSol(amount), SLIPPAGE_BPS));
  const sells = async ({ name, wallet }: Person, units: bigint, closeTokenAccount = false): Promise<Step> => {
    const order = sdk.quoteSell(await state(), units, SLIPPAGE_BPS);
    const sent = await cluster.send(
      sdk.sell({ payer: wallet.publicKey, mint, deployment, ...order, closeTokenAccount }),
      [wallet],
    );
    const { solAmount, tokenAmount, fee } = recordOf(sent, 'trade');
    const lines = [`${name} −${tokens(tokenAmount)} CURVE for ${sol(solAmount)} SOL`];
    return stepOf(
      sent,
      `${name} sells`,
      closeTokenAccount ? [...lines, 'all: token account closed, rent returned'] : lines,
      fee,
    );
  };

  if ((await connection.getAccountInfo(programId))?.executable !== true)
    throw new CommandError(`there is no program at ${programId.toBase58()}`);
  yield { title: 'cluster is up', change: `${kind}, program ${shortened(programId.toBase58())} deployed` };
  // A cluster with properties keeps them: this sets the same values again.
  const properties = (await sdk.fetchProperties(connection, { deployment })) ?? DEFAULT_PROPERTIES;
  const { initialVirtualSol, initialVirtualToken: initialTokens, platformFeeBps } = properties;
  const params = { initialVirtualSol, initialVirtualToken: initialTokens, platformFeeBps, deployment };
  const set = `curves start at ${sol(initialVirtualSol, 0)} SOL, ${tokens(initialTokens, 0)} tokens\nfee ${percent(platformFeeBps)} % of every trade`;
  yield {
    title: 'operator sets up',
    change: set,
    ...costOf(await cluster.send(sdk.adminSetProperties(params), [admin])),
  };
  const creation = sdk.createToken({
    payer: creator.wallet.publicKey,
    mint,
    deployment,
    mintRentLamports: await sdk.fetchRentExemption(cluster.connection, sdk.MINT_ACCOUNT_SIZE),
    ...IDENTITY,
    ...TERMS,
  });
  yield await stepOf(await cluster.send(creation, [creator.wallet, mintKey]), 'creator launches CURVE', [
    `"${IDENTITY.name}", mint ${shortened(mint.toBase58())}`,
    `metadata ${IDENTITY.uri}`,
    `vault +${tokens(sdk.TOKEN_SUPPLY, 0)} CURVE`,
  ]);
  yield await buysFor(alice, '2');
  // Carol buys between Bob's quote and his transaction. His limit protects him.
  const stale = sdk.quoteBuy(await state(), sdk.parseSol('5'), SLIPPAGE_BPS);
  yield await buysFor(carol, '10');
  yield await refused(cluster, 'bob, at his old quote', 'SlippageError', sendBuy(bob, stale));
  yield await bought(bob, sdk.quoteBuyExactOut(await state(), sdk.parseTokens('100000000'), SLIPPAGE_BPS));
  yield await sells(alice, (await tokenBalance(cluster, alice.wallet.publicKey, mint)) / 2n);
  yield await buysFor(alice, '8');
  yield await sells(bob, await tokenBalance(cluster, bob.wallet.publicKey, mint), true);
  // More SOL than the rest of the curve costs.
  yield await buysFor(carol, '100');
  yield await refused(
    cluster,
    'bob, too late',
    'TradingClosed',
    sendBuy(bob, { solToSpend: sdk.parseSol('1'), minTokenToReceive: 1n }),
  );

  for (const [title, thief] of [
    ['admin takes it all', admin],
    ['fee collector likewise', feeReceiver],
    ['passer-by likewise', passerBy.wallet],
  ] as const) {
    const theft = sdk.migrate({ mint, deployment: { ...deployment, feeReceiver: thief.publicKey } });
    yield await refused(cluster, title, 'WrongFeeReceiver', cluster.send(theft, [thief]));
  }
  const graduation = (): TransactionInstruction[] => [
    GRADUATE_UNITS,
    ...sdk.graduate({ mint, payer: passerBy.wallet.publicKey, deployment }),
  ];
  // With the caller's own account instead of the community's token storage.
  const { communityTokenStorage } = sdk.tokenAddresses(mint, deployment);
  const theft = graduation();
  for (const account of theft[1]!.keys)
    if (account.pubkey.equals(communityTokenStorage.address))
      account.pubkey = sdk.associatedTokenAddress(passerBy.wallet.publicKey, mint).address;
  yield await refused(
    cluster,
    'passer-by, by graduate',
    'WrongAccount',
    cluster.send(theft, [passerBy.wallet]),
  );
  const swept = await cluster.send(sdk.sweepFees({ deployment }), [admin]);
  const fees = lamportsGained(swept.transaction, deployment.graduation.treasury);
  yield {
    title: 'admin sweeps the fees',
    change: `treasury +${sol(fees)} SOL: fees, nothing else`,
    ...costOf(swept),
  };
  const graduated = await cluster.send(graduation(), [passerBy.wallet]);
  const { poolSol, poolToken, communitySol, communityToken, burnt } = recordOf(graduated, 'graduate');
  yield await stepOf(graduated, 'passer-by graduates it', [
    `pool opens with ${sol(poolSol)} SOL, ${tokens(poolToken, 0)} CURVE`,
    `community +${sol(communitySol)} SOL, +${tokens(communityToken, 0)}`,
    `${tokens(burnt, 0)} CURVE and all liquidity burnt`,
    `passer-by pays ${sol(-lamportsGained(graduated.transaction, passerBy.wallet.publicKey))} SOL, the network fee`,
  ]);

  const pool = async () => (await sdk.fetchMarket(connection, mint, { deployment })) as sdk.PoolMarket;
  // It accepts trades a second after its creation.
  const { openTime } = (await pool()).pool;
  while ((await cluster.clock()).unixTimestamp < openTime)
    await (kind === 'surfpool' ? cluster.timeTravelToTimestamp(openTime) : sleep(200));
  const market = await pool();
  const order = sdk.quoteBuy(market, sdk.parseSol('3'), SLIPPAGE_BPS);
  const last = await cluster.send(sdk.buy({ market, payer: dave.wallet.publicKey, ...order }), [dave.wallet]);
  const received = tokensGained(last.transaction, dave.wallet.publicKey, mint);
  const { pool: after } = await pool();
  const change = `dave +${tokens(received)} CURVE for ${sol(order.solToSpend)} SOL\nfrom the pool, by the same call`;
  yield {
    title: 'dave buys',
    change,
    price: { lamports: after.sol, tokenUnits: after.token },
    ...costOf(last),
  };
}

/** One value according to the records and to the chain. */
interface Check {
  readonly what: string;
  readonly fromRecords: bigint;
  readonly onChain: bigint;
}

/**
 * Rebuilds a token's history from its records alone, and compares it with the chain: the curve's account, its lamports and tokens, what
 * each trader holds, the income of the fee receiver, and what a graduation moved.
 *
 * @param lastSignature a transaction that the listing must contain: clusters list transactions with a delay
 */
async function compareWithChain(
  cluster: LocalCluster,
  mint: PublicKey,
  lastSignature: string,
  names = new Map<string, string>(),
) {
  const { connection, deployment } = cluster;
  const { feeReceiver, dexOwner } = deployment;
  const curve = sdk.curveAddress(mint, deployment).address;
  let listed = await connection.getSignaturesForAddress(curve, {}, 'confirmed');
  for (; !listed.some(({ signature }) => signature === lastSignature); await sleep(50))
    listed = await connection.getSignaturesForAddress(curve, {}, 'confirmed');
  const transactions: { sent: VersionedTransactionResponse; records: readonly sdk.CurveRecord[] }[] = [];
  for (const { signature } of listed.filter(({ err }) => err === null).reverse()) {
    const sent = (await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    }))!;
    transactions.push({ sent, records: sdk.decodeRecords(sent, { deployment }) });
  }
  const records = transactions.flatMap((one) => one.records);
  const history = sdk.rebuildHistories(records).get(mint.toBase58())!;
  const checks: Check[] = [];
  const check = (what: string, fromRecords: bigint | number, onChain: bigint | number) =>
    checks.push({ what, fromRecords: BigInt(fromRecords), onChain: BigInt(onChain) });

  const { graduated, migrated, created, tokensBought, tokensSold, fees } = history;
  const [account, expected] = [
    (await sdk.fetchTokenOwnerData(connection, mint, { deployment }))!,
    sdk.expectedAccount(history),
  ];
  const rent = await connection.getMinimumBalanceForRentExemption(sdk.TOKEN_OWNER_DATA_SIZE);
  check('status', expected.initialized, account.initialized);
  check('virtual SOL reserve, lamports', expected.virtualSol, account.virtualSol);
  check('virtual token reserve, units', expected.virtualToken, account.virtualToken);
  check('fee after migration, basis points', expected.afterMigrationFee, account.afterMigrationFee);
  check('burned share, basis points', expected.afterMigrationBurnBp, account.afterMigrationBurnBp);
  const lamports = migrated === undefined ? history.virtualSol - created.virtualSol : 0n;
  check('SOL in the curve above rent, lamports', lamports, (await connection.getBalance(curve)) - rent);
  const vault = migrated === undefined ? sdk.TOKEN_SUPPLY - tokensBought + tokensSold : 0n;
  check('tokens in the vault, units', vault, await tokenBalance(cluster, curve, mint));
  const held = new Map<string, bigint>();
  const add = (owner: PublicKey, units: bigint) =>
    held.set(owner.toBase58(), (held.get(owner.toBase58()) ?? 0n) + units);
  for (const { kind, data } of records) {
    if (kind === 'trade') add(data.trader, data.isBuy ? data.tokenAmount : -data.tokenAmount);
    if (kind === 'migrate') add(feeReceiver, data.tokenAmount);
    if (kind === 'graduate') add(feeReceiver, -(data.poolToken + data.communityToken + data.burnt));
  }
  for (const [owner, units] of held)
    check(
      `tokens of ${names.get(owner) ?? shortened(owner)}, units`,
      units,
      await tokenBalance(cluster, new PublicKey(owner), mint),
    );
  const trades = transactions.filter((one) => !one.records.some(({ kind }) => kind === 'migrate'));
  check(
    'platform fees received, lamports',
    fees,
    trades.reduce((sum, { sent }) => sum + lamportsGained(sent, feeReceiver), 0n),
  );
  if (graduated !== undefined && migrated !== undefined) {
    const { sent } = transactions.find((one) => one.records.some(({ kind }) => kind === 'graduate'))!;
    const { authority, liquidityMint } = sdk.AMM.addresses(sdk.poolAddress(mint, deployment).address, mint);
    const supplyOf = async (key: PublicKey) =>
      MintLayout.decode((await connection.getAccountInfo(key))!.data).supply;
    const { poolSol, poolToken, communitySol, communityToken, burnt, costs } = graduated;
    check('migrated, lamports', migrated.solAmount, poolSol + communitySol + costs);
    check('SOL that opened the pool, lamports', poolSol, tokensGained(sent, authority, NATIVE_MINT));
    check('tokens that opened the pool, units', poolToken, tokensGained(sent, authority, mint));
    check('SOL for the community, lamports', communitySol, tokensGained(sent, dexOwner, NATIVE_MINT));
    check('tokens for the community, units', communityToken, tokensGained(sent, dexOwner, mint));
    check('supply of the token, units', sdk.TOKEN_SUPPLY - burnt, await supplyOf(mint));
    check('liquidity that anybody can withdraw, units', 0n, await supplyOf(liquidityMint));
  }
  return {
    records: records.length,
    history,
    checks,
    equal: checks.every(({ fromRecords, onChain }) => fromRecords === onChain),
  };
}

const STEP_COLUMNS: readonly Column[] = [
  right('#'),
  'step',
  'what changed',
  right('fee', 'SOL'),
  right('price', 'lamports/token'),
  right('progress', '%'),
  right('compute', 'units'),
  right('size', 'bytes'),
  'signature',
];
const CHECK_COLUMNS: readonly Column[] = ['value', right('from the records'), right('on chain'), ''];

const cellsOf = (
  { title, change, platformFee, price, progressBps, computeUnits, bytes, signature }: Step,
  index: number,
): string[] => [
  ...[`${index + 1}`, title, change, platformFee === undefined ? '' : sol(platformFee)],
  price === undefined ? '' : decimal(price.lamports * 10n ** 6n, price.tokenUnits, 3),
  ...[progressBps === undefined ? '' : percent(progressBps), grouped(computeUnits ?? 0).replace(/^0$/, '')],
  ...[grouped(bytes ?? 0).replace(/^0$/, ''), signature === undefined ? '' : shortened(signature)],
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cluster: { type: 'string', default: 'surfpool' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return console.log(HELP);
  const started = performance.now();
  const log = (line: string) => console.error(`demo: ${line}`);
  const backend = clusterName(values.cluster);
  log(`starting the cluster (${backend})`);
  const cluster = await startLocalCluster({ backend, log, properties: false });
  try {
    const mintKey = Keypair.generate();
    const funds = { creator: '1', alice: '20', bob: '20', carol: '120', dave: '20', passerBy: '0.02' };
    const people: Record<string, Person> = {};
    for (const [name, amount] of Object.entries(funds))
      people[name] = { name, wallet: await cluster.fundedWallet(sdk.parseSol(amount)) };
    const steps: Step[] = [];
    for await (const step of story(cluster, mintKey, people)) {
      log(step.title);
      steps.push(step);
    }
    // Trades with the pool do not mention the curve, so the listing does not contain them.
    const last = steps.findLast(({ progressBps }) => progressBps !== undefined)!.signature!;
    const names = Object.values(people).map(
      ({ name, wallet }) => [wallet.publicKey.toBase58(), name] as const,
    );
    const receiver = [cluster.deployment.feeReceiver.toBase58(), 'the fee receiver'] as const;
    log('rebuilding the history from the log records');
    const compared = await compareWithChain(cluster, mintKey.publicKey, last, new Map([...names, receiver]));
    const { records, checks, equal } = compared;
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const { kind, rpcUrl, programId } = cluster;
    const found = {
      demo: 'story',
      cluster: { kind, rpcUrl },
      programId,
      mint: mintKey.publicKey,
      steps,
      ...compared,
      seconds: Number(seconds),
    };
    const colour = showsColour(process.stdout);
    // Amounts are texts, because they can exceed the range of JSON numbers.
    if (values.json === true)
      console.log(
        JSON.stringify(found, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2),
      );
    else
      console.log(
        [
          renderTable(
            STEP_COLUMNS,
            steps.map((step, index) => ({ cells: cellsOf(step, index), style: step.refusal && 'yellow' })),
            colour,
          ),
          'Compute units and bytes are of whole transactions: a first buy also makes the token account of its buyer.',
          `The history of CURVE, rebuilt from its ${records} log records alone, and the chain:`,
          renderTable(
            CHECK_COLUMNS,
            checks.map(({ what, fromRecords, onChain }) => [
              what,
              grouped(fromRecords),
              grouped(onChain),
              fromRecords === onChain ? 'equal' : 'DIFFERENT',
            ]),
            colour,
          ),
          `${equal ? 'equal' : 'DIFFERENT'}: ${records} records and the chain, in ${checks.length} values (${seconds} s)`,
        ].join('\n\n'),
      );
    if (!equal) process.exitCode = 1;
  } finally {
    await cluster.stop();
  }
}

if (process.argv[1] === import.meta.filename) runCommand(HELP, main);
