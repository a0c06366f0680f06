// Two curves that trade, with their traders, and all wrong accounts that a caller could pass. Played by the fuzzer's steps.
import {
  ATA_PROGRAM_ADDRESS,
  DEFAULT_DEPLOYMENT,
  decodeTokenOwnerData,
  encodeTokenOwnerData,
  GRADUATION_VIRTUAL_TOKEN,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  STATUS_TRADING,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  type TokenOwnerData,
} from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import { nonCanonicalCurve } from '#tests/program/non-canonical.js';
import { rawValidateLogRecord } from '#tests/program/raw-instructions.js';
import { keyNamed, FEE_RECEIVER, PROPERTIES, TRADER_KEYS, type TokenKeys } from '../fuzz/keys.js';
import { migrationOf } from '../fuzz/hostile.js';
import { creationOf, settingsOf } from '../fuzz/launches.js';
import { play } from '../fuzz/play.js';
import { must } from '../fuzz/state.js';
import { USUAL_SPEC, type Step } from '../fuzz/steps.js';
import { SYSTEM, TOKEN, type World } from '../fuzz/world.js';
import { callOf, keyOf, publicKeyOf, type Call, type Key } from './call.js';
import { tradeCall } from './instructions.js';
import { OTHER_DEPLOYMENT } from './programs.js';
import { tokenAccount, TOKEN_ACCOUNT_SIZE } from './token-account.js';

export const INSTRUCTIONS = [
  'buyToken',
  'sellToken',
  'migrate',
  'validateLogRecord',
  'createToken',
  'adminSetProperties',
] as const;
export type Instruction = (typeof INSTRUCTIONS)[number];
export type State = 'trading' | 'finalized' | 'migrated';

/** Lamports that exempt any account here at the usual rent. */
const RENT = 20_000_000n;
/** Token units that the first trader sells. */
export const SOLD = 3n * 10n ** 11n;
const SPENT = 10n ** 9n;
const { programId, properties, logAuthority, admin, dexOwner } = DEFAULT_DEPLOYMENT;
const TOKEN_2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb').toBytes();

export class Scene {
  readonly own: TokenKeys;
  readonly other: TokenKeys;
  /** The fee receiver's token accounts, of each token. */
  readonly ofFeeReceiver: readonly [Key, Key];
  readonly wrong: ReadonlyMap<string, Key>;

  /** @throws Violation when the builds differ while the scene is set */
  constructor(readonly world: World) {
    world.reset(USUAL_SPEC);
    const minimum = { is: 'value', value: 0n } as const;
    const buy = (token: number, trader: number): Step => ({
      ...{ is: 'buy', token, trader, amount: { is: 'value', value: 10n * SPENT }, minimum },
    });
    this.#play({ is: 'settings', ...USUAL_SPEC });
    for (const token of [0, 1]) {
      this.#play({ is: 'create', token, trader: 0, afterMigrationFee: 100 });
      for (const trader of [0, 1]) this.#play(buy(token, trader));
    }
    [this.own, this.other] = world.tokens.map(({ keys }) => keys) as [TokenKeys, TokenKeys];
    this.ofFeeReceiver = [
      keyNamed('tokens of the fee receiver'),
      keyNamed('other tokens of the fee receiver'),
    ];
    for (const [index, key] of this.ofFeeReceiver.entries()) {
      const { mint } = [this.own, this.other][index]!;
      world.set(key, RENT, TOKEN, tokenAccount({ mint, owner: FEE_RECEIVER }));
    }
    this.wrong = wrongAccounts(this);
  }

  /** Brings the first curve to a state. They are reached in their order. */
  reach(state: State): void {
    const now = decodeTokenOwnerData(this.world.account(this.own.curve)!.data).initialized;
    const [amount, minimum] = [
      { is: 'rest', off: 0n },
      { is: 'value', value: 0n },
    ] as const;
    if (state !== 'trading' && now === 1) this.#play({ is: 'buy', token: 0, trader: 0, amount, minimum });
    if (state === 'migrated' && now !== 3)
      must('a sold-out curve migrates', this.world.send(this.call('migrate')) === undefined);
  }

  #play(step: Step): void {
    const error = play(this.world, step);
    must(`${step.is} succeeds, and does not fail with ${error}`, error === undefined);
  }

  /** The call without a fault. @param tokens the trader's token account */
  call(instruction: Instruction, trader = TRADER_KEYS[0]!, tokens = this.own.held[0]!): Call {
    const { own } = this;
    const [payer, held] = [publicKeyOf(trader), publicKeyOf(tokens)];
    switch (instruction) {
      case 'buyToken':
        return tradeCall('buy', own.addressed, payer, held, SPENT);
      case 'sellToken':
        return tradeCall('sell', own.addressed, payer, held, SOLD);
      case 'migrate':
        return migrationOf(own, this.ofFeeReceiver[0]);
      case 'validateLogRecord':
        return callOf(rawValidateLogRecord());
      case 'createToken':
        return creationOf(this.world.tokens[2]!, {
          is: 'create',
          token: 2,
          trader: 0,
          afterMigrationFee: 100,
        });
      case 'adminSetProperties':
        return settingsOf({ is: 'settings', ...USUAL_SPEC });
    }
  }

  /** Writes fields of the first curve, also values that the program never writes. */
  setCurve(change: Partial<TokenOwnerData>, lamports?: bigint): void {
    const account = this.world.account(this.own.curve)!;
    const data = encodeTokenOwnerData({ ...decodeTokenOwnerData(account.data), ...change });
    this.world.put(this.own.curve, { ...account, data, lamports: lamports ?? account.lamports });
  }
}

function wrongAccounts({ world, own, other, ofFeeReceiver }: Scene): ReadonlyMap<string, Key> {
  const wrong = new Map<string, Key>();
  const put = (name: string, owner: Uint8Array, data: Uint8Array, lamports = RENT): void => {
    const key = keyNamed(name);
    world.set(key, lamports, owner, data);
    wrong.set(name, key);
  };
  const { mint, curve } = own;
  const [first, second] = TRADER_KEYS as [Key, Key];
  const [some, many] = [10n ** 9n, 10n ** 14n];
  for (const [name, fields] of Object.entries({
    "trader 0's second account": { owner: first, delegate: second, closeAuthority: second, amount: some },
    "trader 0's frozen account": { owner: first, state: 2, amount: some },
    "curve's second account": { owner: curve, amount: many },
    "curve's tokens of the other mint": { owner: curve, mint: other.mint, amount: many },
    'account that owns itself': { owner: keyNamed('account that owns itself'), amount: many },
  }))
    put(name, TOKEN, tokenAccount({ mint, ...fields }));
  put("trader 0's account of Token-2022", TOKEN_2022, tokenAccount({ mint, owner: first, amount: some }));
  put('mint of Token-2022', TOKEN_2022, world.account(mint)!.data);
  const forged = encodeTokenOwnerData({
    initialized: STATUS_TRADING,
    virtualSol: 1n,
    virtualToken: GRADUATION_VIRTUAL_TOKEN + 10n ** 15n,
    afterMigrationFee: 0,
    afterMigrationBurnBp: 0,
  });
  // Anyone can assign a blank account to the program. Another program can write a forged curve.
  for (const size of [0, 7, 8, 28, 29, 100])
    put(`${size} blank bytes of the program`, programId.toBytes(), new Uint8Array(size));
  put('forged curve of another program', ATA_PROGRAM_ADDRESS.toBytes(), forged);
  put('forged curve of the system program', SYSTEM, forged);
  for (const size of [0, 82, TOKEN_ACCOUNT_SIZE, TOKEN_ACCOUNT_SIZE + 1, 355])
    put(`${size} blank bytes of the token program`, TOKEN, new Uint8Array(size));
  for (const [name, copied] of [
    ['copy of the settings', PROPERTIES],
    ['copy of the curve', curve],
    ['copy of the vault', own.vault],
  ] as const) {
    const { owner, data, lamports } = world.account(copied)!;
    put(name, owner, data, lamports);
  }
  put('10,001 bytes', SYSTEM, new Uint8Array(10_001));
  put('wallet', SYSTEM, new Uint8Array());
  wrong.set('nothing', keyNamed('nothing'));
  wrong.set('curve of another nonce', keyOf(nonCanonicalCurve(own.addressed.mint).address));
  for (const [name, { storages, held, ...keys }] of [
    ['', own],
    ['other ', other],
  ] as const) {
    for (const each of ['mint', 'curve', 'vault', 'metadata'] as const) wrong.set(name + each, keys[each]);
    wrong.set(`${name}token storage`, storages.token);
    wrong.set(`${name}WSOL storage`, storages.wsol);
    held.forEach((key, trader) => wrong.set(`${name}tokens of trader ${trader}`, key));
  }
  wrong.set('tokens of the fee receiver', ofFeeReceiver[0]);
  wrong.set('other tokens of the fee receiver', ofFeeReceiver[1]);
  TRADER_KEYS.forEach((trader, index) => wrong.set(`trader ${index}`, trader));
  for (const [name, address] of Object.entries({
    'fee receiver': DEFAULT_DEPLOYMENT.feeReceiver,
    settings: properties.address,
    'log authority': logAuthority.address,
    admin,
    'DEX owner': dexOwner,
    'this program': programId,
    'token program': TOKEN_PROGRAM_ADDRESS,
    'system program': SYSTEM_PROGRAM_ADDRESS,
    'ATA program': ATA_PROGRAM_ADDRESS,
    'metadata program': TOKEN_METADATA_PROGRAM_ADDRESS,
    'native mint': NATIVE_MINT_ADDRESS,
    'rent sysvar': RENT_SYSVAR_ADDRESS,
  }))
    wrong.set(name, keyOf(address));
  return wrong.set('other deployment', OTHER_DEPLOYMENT);
}
