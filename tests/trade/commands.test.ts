// curvekit-trade on a real cluster: the same commands on the curve and in the pool.
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  fetchMarket,
  formatSol,
  formatTokens,
  poolAddress,
  quoteBuy,
  quoteSell,
  type Market,
} from '@curvekit/sdk';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { launchTrading, MORE_THAN_A_CURVE, sendGraduation, untilOpen } from '#tests/graduation/graduating.js';
import { buyTokens, launch, tokensOf } from '#tests/program/tokens.js';
import { unpackTradeCli, type TradeCli } from '#tests/trade/program.js';

interface Traded {
  readonly signature: string;
  readonly slot: number;
  readonly side: string;
  readonly venue: string;
  readonly mint: string;
  readonly solAmount: string;
  readonly tokenAmount: string;
  readonly platformFee: string;
  readonly networkFee: string;
  readonly walletChange: string;
}

interface Launched extends Pick<Traded, 'signature' | 'mint' | 'walletChange'> {
  readonly firstBuy: Pick<Traded, 'solAmount' | 'tokenAmount'> | null;
}

interface Line extends Pick<Traded, 'side' | 'venue' | 'mint' | 'solAmount' | 'tokenAmount' | 'signature'> {
  readonly kind: string;
  readonly trader: string;
  readonly name: string;
  readonly timestamp: string;
}

interface Simulated {
  readonly simulated: boolean;
  readonly walletChange: string;
  readonly tokenChange: string;
}

interface Portfolio {
  readonly lamports: string;
  readonly saleValue: string;
  readonly holdings: { mint: string; tokenAmount: string; venue: string; saleValue: string | null }[];
}

/** Offset of `status` in the AMM's account of a pool, and its bit that stops swaps. */
const [STATUS, SWAPS_DISABLED] = [329, 4];
const METADATA = 'https://example.org/cli.json';

describe('curvekit-trade on a cluster', () => {
  const cluster = useCluster();
  let cli: TradeCli;
  let wallet: Keypair;

  before('unpack it', async () => {
    cli = await unpackTradeCli();
    wallet = await cluster().fundedWallet(20n * SOL);
    cli.environment['RPC_URL'] = cluster().rpcUrl;
    cli.environment['WS_URL'] = cluster().wsUrl;
    cli.environment['KEYPAIR'] = await cli.keypairFile('id.json', wallet);
  });

  const deployment = () => ['--deployment', 'default'];
  const held = (mint: string) =>
    tokensOf(cluster().connection, associatedTokenAddress(wallet.publicKey, new PublicKey(mint)).address);
  const holdingOf = async (mint: string) =>
    (await first<Portfolio>('portfolio')).holdings.find((holding) => holding.mint === mint);
  const balance = () => lamportsOf(cluster().connection, wallet.publicKey);
  const market = async (mint: string): Promise<Market> =>
    (await fetchMarket(cluster().connection, new PublicKey(mint), { deployment: cluster().deployment }))!;

  async function first<T>(...args: string[]): Promise<T> {
    const [line, ...more] = await cli.json<T>(...args, ...deployment());
    expect(more).to.deep.equal([]);
    return line!;
  }

  /** As the AMM's admin can. */
  async function stopSwaps(mint: string, stopped: boolean): Promise<void> {
    const { address } = poolAddress(new PublicKey(mint), cluster().deployment);
    const data = Buffer.from((await cluster().connection.getAccountInfo(address))!.data);
    data[STATUS] = stopped ? SWAPS_DISABLED : 0;
    await cluster().setAccount(address, { data });
  }

  async function newToken(): Promise<string> {
    return (await launch(cluster())).mint.toBase58();
  }

  it('launches a token with a first buy and a chosen suffix of its address', async () => {
    const before = await balance();
    const terms = ['--name', 'Command Line', '--symbol', 'CLI', '--uri', METADATA, '--first-buy', '0.5'];
    const { mint, firstBuy, walletChange } = await first<Launched>('launch', ...terms, '--suffix', 'z');
    expect(mint).to.match(/z$/);
    expect(firstBuy?.solAmount).to.equal('500000000');
    expect(await held(mint)).to.equal(BigInt(firstBuy!.tokenAmount));
    expect((await balance()) - before).to.equal(BigInt(walletChange));
  });

  it('buys and sells, exact-in, exact-out and all tokens, and prints the result', async () => {
    const mint = await newToken();
    const { tokenOut } = quoteBuy(await market(mint), SOL);
    const before = await balance();
    const bought = await first<Traded>('buy', mint, '--sol', '1', '--priority-fee', '1000');
    expect(bought).to.include({ side: 'buy', venue: 'curve', mint, solAmount: '1000000000' });
    expect(bought.tokenAmount).to.equal(String(tokenOut));
    expect(await held(mint)).to.equal(tokenOut);
    expect((await balance()) - before).to.equal(BigInt(bought.walletChange));

    const some = await first<Traded>('sell', mint, '--tokens', '1000.5');
    expect(some.tokenAmount).to.equal('1000500000');
    const friend = Keypair.generate().publicKey;
    const tip = ['--tip', '0.002', '--tip-to', friend.toBase58()];
    const exact = await first<Traded>('buy', mint, '--tokens', '250', ...tip);
    expect(await lamportsOf(cluster().connection, friend)).to.equal(SOL / 500n);
    expect(BigInt(exact.tokenAmount) >= 250_000_000n).to.equal(true);
    const paid = await first<Traded>('sell', mint, '--sol', '0.01');
    expect(BigInt(paid.solAmount) >= SOL / 100n).to.equal(true);

    const all = await held(mint);
    const { code, out, err } = await cli.run('sell', mint, 'all', '--close-account', ...deployment());
    expect(code).to.equal(0);
    expect(out.replaceAll(',', '')).to.contain(`sold       ${formatTokens(all)} tokens for `);
    expect(err).to.match(/^signed {5}\w+\nsent\nconfirmed$/);
    expect(
      await cluster().connection.getAccountInfo(
        associatedTokenAddress(wallet.publicKey, new PublicKey(mint)).address,
      ),
    ).to.equal(null);
  });

  it('--simulate prints the expected result of a trade or a launch, and sends nothing', async () => {
    const mint = await newToken();
    const before = await balance();
    const { tokenOut } = quoteBuy(await market(mint), SOL);
    const simulated = await first<Simulated>('buy', mint, '--sol', '1', '--simulate');
    expect(simulated).to.include({ simulated: true, tokenChange: String(tokenOut) });
    const launching = ['launch', '--name', 'n', '--symbol', 's', '--uri', 'https://example.org/n.json'];
    const launched = await first<Simulated>(...launching, '--first-buy', '0.1', '--simulate');
    expect(BigInt(launched.walletChange) < -SOL / 10n).to.equal(true);
    expect(await balance()).to.equal(before);
    const { walletChange } = await first<Traded>('buy', mint, '--sol', '1', '--priority-fee', '0');
    expect(simulated.walletChange).to.equal(walletChange);
  });

  it('shows a portfolio: each token of the launchpad, and the SOL that selling it would pay', async () => {
    const mint = await newToken();
    await first<Traded>('buy', mint, '--sol', '0.3');
    const all = await held(mint);
    const { solOut } = quoteSell(await market(mint), all);
    const portfolio = await first<Portfolio>('portfolio', '--wallet', wallet.publicKey.toBase58());
    expect(portfolio.lamports).to.equal(String(await balance()));
    expect(await holdingOf(mint)).to.include({
      tokenAmount: String(all),
      venue: 'curve',
      saleValue: String(solOut),
    });
    const { out } = await cli.run('portfolio', ...deployment());
    expect(out)
      .to.contain(mint)
      .and.to.contain(`${formatSol(solOut)} SOL`);
    await first<Traded>('sell', mint, '--tokens', formatTokens(all - 1n));
    expect(await holdingOf(mint), 'less than a lamport').to.include({ tokenAmount: '1', saleValue: '0' });
    const nobody = Keypair.generate().publicKey.toBase58();
    expect((await first<Portfolio>('portfolio', '--wallet', nobody)).holdings).to.deep.equal([]);
  });

  it('watches: prints new records live, until Ctrl-C or --count ends it', async () => {
    const mint = await newToken();
    const all = cli.start('watch', '--json', ...deployment());
    const one = cli.start('watch', '--mint', mint, '--kind', 'trade', '--count', '1', ...deployment());
    await Promise.all([all.untilSaid('watching'), one.untilSaid('watching')]);
    const other = await launch(cluster(), { name: '\u001b[31mRed', symbol: 'RED' });
    const { signature } = await first<Traded>('buy', mint, '--sol', '0.1');
    const created = JSON.parse(await all.nextLine()) as Line;
    expect(created).to.include({ kind: 'create', mint: other.mint.toBase58(), name: '\u001b[31mRed' });
    const bought = JSON.parse(await all.nextLine()) as Line;
    expect(bought).to.include({ kind: 'trade', side: 'buy', mint, solAmount: '100000000', signature });
    expect(await one.nextLine()).to.match(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\w+ {2}buy {2}[\d,.]+ tokens for 0\.1 SOL/,
    );
    expect(await one.end('SIGCONT')).to.equal(0);
    expect(await all.end('SIGINT')).to.equal(0);
    const { out } = await cli.run('history', other.mint.toBase58(), ...deployment());
    expect(out).to.contain('launched ?[31mRed (RED)');
  });

  it('explains why a trade is refused, with amounts', async () => {
    const mint = await newToken();
    const tooMuch = await cli.run('buy', mint, '--sol', '1000', ...deployment());
    expect(tooMuch.code).to.equal(1);
    expect(tooMuch.err).to.match(/^curvekit-trade: wallet \w+ needs [\d.]+ SOL: .*; has [\d.]+$/);
    expect(tooMuch.out).to.equal('');
    const nothing = await cli.run('sell', mint, 'all', '--json', ...deployment());
    expect(nothing.code).to.equal(1);
    const { error } = JSON.parse(nothing.out) as { error: { name: string; code: string; message: string } };
    expect(error).to.include({ name: 'NoTokenAccountError', code: 'NO_TOKEN_ACCOUNT' });
    expect(nothing.err).to.equal(`curvekit-trade: ${error.message}`);
    const stranger = Keypair.generate().publicKey.toBase58();
    const unknown = await cli.run('quote', 'buy', stranger, '--sol', '1', ...deployment());
    expect(unknown.code).to.equal(1);
    expect(unknown.err).to.contain('was not created by program');
  });

  it('quotes, buys and sells in the pool after graduation, and lists these trades in the history', async () => {
    const token = await launchTrading(cluster());
    const mint = token.mint.toBase58();
    await buyTokens(cluster(), token, cluster().payer, MORE_THAN_A_CURVE);
    const closed = await cli.run('buy', mint, '--sol', '1', ...deployment());
    expect(closed.code).to.equal(1);
    expect(closed.err).to.contain('as soon as somebody sends graduate');
    await sendGraduation(cluster(), token);
    await untilOpen(cluster(), token);

    const ofToken = cli.start('watch', '--mint', mint, '--json', '--count', '2', ...deployment());
    const trader = wallet.publicKey.toBase58();
    const ofTrader = cli.start('watch', '--trader', trader, '--count', '2', ...deployment());
    await Promise.all([ofToken.untilSaid('watching'), ofTrader.untilSaid('watching')]);

    const { tokenOut } = quoteBuy(await market(mint), SOL);
    const quoted = await first<Record<string, unknown>>('quote', 'buy', mint, '--sol', '1');
    expect(quoted).to.include({ venue: 'pool', tokenAmount: String(tokenOut) });
    const bought = await first<Traded>('buy', mint, '--sol', '1');
    expect(bought).to.include({ venue: 'pool', tokenAmount: String(tokenOut), platformFee: '0' });
    await stopSwaps(mint, true);
    expect(await holdingOf(mint)).to.include({ venue: 'pool', saleValue: null });
    await stopSwaps(mint, false);
    const sold = await first<Traded>('sell', mint, 'all');
    expect(sold).to.include({ venue: 'pool', tokenAmount: String(tokenOut) });
    for (const { side, signature } of [bought, sold]) {
      const line = JSON.parse(await ofToken.nextLine()) as Line;
      expect(line).to.include({ kind: 'trade', venue: 'pool', side, mint, trader, signature });
      expect(Number(line.timestamp)).to.be.closeTo(Date.now() / 1_000, 3_600);
      expect(await ofTrader.nextLine()).to.match(new RegExp(`^\\S.*${mint}.*${side} .* on the pool`));
    }
    expect(await ofToken.end('SIGCONT')).to.equal(0);
    const lines = await cli.json<Line>('history', mint, '--limit', '4', ...deployment());
    expect(lines[0]).to.include({ kind: 'trade', venue: 'pool', side: 'sell', signature: sold.signature });
    expect(lines[1]).to.include({ venue: 'pool', side: 'buy', tokenAmount: bought.tokenAmount });
    expect(lines.map(({ kind }) => kind)).to.include('graduate');
  });
});
