// `buy MINT` and `sell MINT [all]`
import type { Command } from 'commander';
import { prepareTrade, trade, type TradeResult } from '@curvekit/sdk/trade';
import { keypairOf, work, type Registration, type Session } from '../command.js';
import { orderOf, slippageOf, withAmounts, type Side } from '../order.js';
import { venueText } from '../markets.js';
import { changeText, priceText, solText, tokenText, type Facts } from '../output.js';
import { preparingOf, sendingOf, withSending } from '../sending.js';
import { simulatedFacts, simulatePrepared } from '../simulate.js';
import { address } from '../values.js';

export function registerBuy(program: Command, registration: Registration): void {
  const command = program
    .command('buy')
    .description('buy a token for --sol, or at least --tokens, on the curve or in the pool')
    .argument('<mint>', 'address of the token');
  work(withSending(withAmounts(command)), registration, (session) => runTrade(session, 'buy'));
}

export function registerSell(program: Command, registration: Registration): void {
  const command = program
    .command('sell')
    .description('sell --tokens of a token, all of them, or what gives --sol, on the curve or in the pool')
    .argument('<mint>', 'address of the token')
    .argument('[all]', "the word all: everything in the wallet's associated account")
    .option('--close-account', 'close the token account after a sale of everything, which returns its rent');
  work(withSending(withAmounts(command)), registration, (session) => runTrade(session, 'sell'));
}

async function runTrade(session: Session, side: Side): Promise<void> {
  const { connection, deployment, options, args, print } = session;
  const mint = address('mint', args[0]!);
  const words = side === 'sell' ? '--sol, --tokens and all' : undefined;
  const order = orderOf(options, side, args[1], words);
  const wallet = keypairOf(session);
  const params = {
    ...preparingOf(session, wallet),
    ...order.params,
    mint,
    slippageBps: slippageOf(options),
    closeTokenAccount: options['closeAccount'] === true,
  };
  if (options['simulate'] === true) {
    const who = { owner: wallet.publicKey, mint, deployment };
    const change = await simulatePrepared(connection, who, prepareTrade(connection, params));
    print({ side, ...change }, simulatedFacts(change));
    return;
  }
  const result = await trade(connection, { ...params, ...sendingOf(session) });
  print({ mint, ...documentOf(result) }, factsOf(result));
}

const TOLD = [
  ...(['signature', 'slot', 'side', 'venue', 'solAmount', 'tokenAmount', 'platformFee'] as const),
  ...(['networkFee', 'walletChange', 'price'] as const),
];
const documentOf = (result: TradeResult) => Object.fromEntries(TOLD.map((name) => [name, result[name]]));

function factsOf(result: TradeResult): Facts {
  const { side, venue, solAmount, tokenAmount, platformFee, networkFee, walletChange } = result;
  return [
    [
      side === 'buy' ? 'bought' : 'sold',
      `${tokenText(tokenAmount)} for ${solText(solAmount)}, ${venueText(venue)}`,
    ],
    ['price', `${priceText(result.price)}, all fees included`],
    ['fees', `${solText(platformFee)} platform, ${solText(networkFee)} network`],
    ['wallet', `${changeText(walletChange)}, fees and rents included`],
    ['signature', `${result.signature} in slot ${result.slot}`],
  ];
}
