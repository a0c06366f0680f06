// `find TEXT` and `token MINT`
import type { Command } from 'commander';
import { MarketClient, type TokenSummary } from '@curvekit/sdk/market';
import { textOf, work, type Registration, type Session } from '../command.js';
import { UsageError } from '../errors.js';
import { percentText, plain, solText, tableText, tokenText } from '../output.js';
import { address, wholeNumber } from '../values.js';

const MOST = 50;

export function registerFind(program: Command, registration: Registration): void {
  const find = program
    .command('find')
    .description(
      "tokens by the beginning of a name's word, a symbol or an address: the most traded of the day first; needs --launchpad",
    )
    .argument('<text>', 'what to look for')
    .option('--limit <number>', `how many at most, up to ${MOST}`, '10');
  work(find, registration, runFind);
  const token = program
    .command('token')
    .description(
      'what the launchpad knows of a token: its market, its creator, who earns from its fees; needs --launchpad',
    )
    .argument('<mint>', 'address of the token');
  work(token, registration, runToken);
}

function clientOf({ launchpadUrl }: Session): MarketClient {
  if (launchpadUrl === undefined)
    throw new UsageError(
      '--launchpad',
      'is missing; give the URL of the launchpad’s service, or set LAUNCHPAD_URL',
    );
  return new MarketClient({ baseUrl: launchpadUrl });
}

async function runFind(session: Session): Promise<void> {
  const { args, options, terminal, print, progress } = session;
  const limit = wholeNumber('--limit', textOf(options, 'limit')!, 1, MOST);
  const signal = terminal.stopped;
  const { items } = await clientOf(session).tokens({ q: args[0]!, sort: 'volume24h', limit, signal });
  if (items.length === 0) progress('no token is named so');
  if (options['json'] === true) for (const item of items) print(summaryOf(item), '');
  if (items.length === 0 || options['json'] === true) return;
  const heads = ['token', 'symbol', 'name', 'market', 'market cap', 'trades'].map((title) => ({ title }));
  const rows = items.map((item) => [
    ...[item.mint, plain(item.symbol), plain(item.name), item.venue],
    ...[solText(BigInt(item.marketCap)), String(item.trades)],
  ]);
  print({}, tableText(heads, rows));
}

function summaryOf(token: TokenSummary): object {
  const { mint, name, symbol, creator, status, venue, marketCap, progressBps, volume24h, trades } = token;
  return { mint, name, symbol, creator, status, venue, marketCap, progressBps, volume24h, trades };
}

const EARNS = {
  creator: 'the creator',
  split: 'wallets that the creator named',
  traders: 'its traders',
} as const;

async function runToken(session: Session): Promise<void> {
  const mint = address('mint', session.args[0]!).toBase58();
  const token = await clientOf(session).token(mint, { signal: session.terminal.stopped });
  const { description, fees, creatorBought, creatorSold, launchSlotBought, same, feeShare } = token;
  session.print(
    {
      ...summaryOf(token),
      ...{ description, fees, creatorBought, creatorSold, launchSlotBought },
      ...{ sameNames: same.names, sameSymbols: same.symbols },
      feeShare: { bps: feeShare.bps, kind: feeShare.kind },
    },
    [
      ['token', `${plain(token.name)} (${plain(token.symbol)})`],
      ['market', `${token.venue}, ${percentText(token.progressBps)} towards graduation`],
      ['market cap', solText(BigInt(token.marketCap))],
      ['volume', `${solText(BigInt(token.volume24h))} in 24 hours, ${token.trades} trades in all`],
      [
        'creator',
        `${token.creator}; sold ${tokenText(BigInt(creatorSold))} of ${tokenText(BigInt(creatorBought))} bought`,
      ],
      ['same names', `${same.names} names, ${same.symbols} symbols`],
      [
        'fee share',
        feeShare.bps === 0 ? 'none' : `${percentText(feeShare.bps)} of each fee, for ${EARNS[feeShare.kind]}`,
      ],
    ],
  );
}
