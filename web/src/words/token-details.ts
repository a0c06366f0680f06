// Texts of a token's holders, description and terms, and of what the browser checks on chain.
import { plural } from './words.js';

const trades = (count: number, text: string) => `${text} ${plural(count, 'trade', 'trades')}`;
/** @param number its place in the list; undefined when the list was not read from the launch on */
const trade = (number: string | undefined, signature: string) =>
  number === undefined ? `Trade ${signature}` : `Trade ${number}, ${signature},`;

export const detailWords = {
  chartColumns: ['Time', 'Open', 'High', 'Low', 'Close', 'Volume'],
  noHolders: 'Nobody holds it yet',
  firstHold: (count: number, share: string) =>
    count === 1 ? `The largest holder has ${share}.` : `The ${count} largest holders have ${share} together.`,
  wallet: 'Wallet',
  amount: 'Amount',
  share: 'Share',
  is: { curve: 'bonding curve', pool: 'pool', creator: 'creator', operator: 'the launchpad’s operator' },
  checking: 'Reading the token on chain…',
  unchecked: 'The RPC node does not answer. Try again later.',
  noMint: 'The RPC node knows no such token.',
  checked: (slot: string) => `Checked by your browser at slot ${slot}:`,
  notMintable: (supply: string) => `There are ${supply}, and nobody can mint more.`,
  mintable: 'More tokens can be minted!',
  notFreezable: 'Nobody can freeze what you hold.',
  freezable: 'Somebody can freeze what you hold!',
  replay: {
    progress: 'Trades that are read',
    reading: (read: string, all: string) => `Reading the trades: ${read} of about ${all}…`,
    again: 'The list of trades and the chain differ. Reading both again…',
    'node-silent':
      'The RPC node does not say what the curve holds, so the trades are not checked. Try again later.',
    'service-silent': 'The service does not list the trades, so they are not checked. Try again later.',
    impossible: 'The trades are not checked: this browser starts no worker.',
    unlisted: (slot: string) =>
      `The service lists no trade. At slot ${slot} the curve holds other reserves than tokens begin with today: the launchpad’s settings have changed since, or trades are missing.`,
    untraded: (slot: string) => `The curve holds what it began with, at slot ${slot}. It has no trade.`,
    same: (count: number, text: string, slot: string) =>
      `${trades(count, text)} ${plural(count, 'adds', 'add')} up to what the chain holds at slot ${slot}.`,
    newer: (count: number) =>
      `${trades(count, String(count))} ${plural(count, 'is', 'are')} newer than the RPC node’s slot.`,
    parts: (number: string | undefined, signature: string) =>
      `${trade(number, signature)} does not follow from the one before.`,
    partsFromLaunch: (signature: string) =>
      `Trades are missing: the first that is listed, ${signature}, does not follow from the launch.`,
    unheld: (number: string | undefined, signature: string, slot: string) =>
      `${trade(number, signature)} is listed, and the chain does not have it at slot ${slot}.`,
    elsewhere: (count: number, text: string, slot: string) =>
      `${trades(count, text)} ${plural(count, 'does', 'do')} not add up to what the chain holds at slot ${slot}. Trades are missing or changed, or the service’s index is behind the chain.`,
    partly: (read: string) => `The first ${read} trades follow from the launch. Later ones are not read.`,
    cut: (read: string) =>
      `Older trades are not read: each of the newest ${read} follows from the one before.`,
    otherLaunch:
      'The first listed trade begins with other reserves than tokens do today: the launchpad’s settings have changed since, or earlier trades are missing.',
    otherFees: (count: number, text: string, fee: string) =>
      `${trades(count, text)} paid another fee than today’s ${fee}.`,
    pool: 'Trades in the pool are not checked: they do not tell what the AMM keeps of its fees.',
    scope: 'Amounts and reserves are checked, not who traded.',
    receipt: 'Look at it',
  },
  byCreator: 'Written by the creator. Nobody has checked it.',
  noDescription: 'The creator has not described the token.',
  creator: 'Creator',
  earns: {
    creator: (part: string, _wallets: number) => `earns ${part} of each trade on the curve`,
    split: (part: string, wallets: number) =>
      `gives ${part} of each trade on the curve to ${wallets} wallets`,
    traders: (part: string, _wallets: number) =>
      `gives ${part} of each trade on the curve back to its trader`,
  },
  created: 'Created',
  mint: 'Address',
  metadata: 'Metadata',
  notFetched: 'The service has not read the metadata yet.',
  incomplete: (problem: string) => `Something is missing: ${problem}.`,
  again: (time: string) => `The service tries again: ${time}.`,
  graduates: {
    pool: 'When the curve is sold out, its SOL and the tokens left go to a pool, and the liquidity is burnt.',
    key: 'When the curve is sold out, the operator’s key takes its SOL and the tokens left to a market.',
  },
  communityIntro:
    'The creator chose what happens to the community’s share. It is written on chain and cannot be changed.',
  community: 'Community’s share of the liquidity',
  burn: 'of it burnt',
  toHolders: 'of it for holders',
  toLp: 'of it for liquidity',
  toCreator: 'of it for the creator',
  fee: 'Fee of each trade on the curve',
} as const;
