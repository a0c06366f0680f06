// Errors as wallets and hardware devices throw them, and what the page says.
import { expect } from 'chai';
import { walletProblemOf, type WalletProblem } from '../../web/src/wallet/problems.js';

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });
const coded = (code: number | string, message = ''): Error => Object.assign(new Error(message), { code });

const CASES: readonly (readonly [string, unknown, WalletProblem | undefined])[] = [
  ['a refusal by code and text', coded(4001, 'User rejected the request.'), 'declined'],
  ['a refusal by code alone', coded(4001), 'declined'],
  ['a refusal by code in a plain object', { code: 4001 }, 'declined'],
  ['a refusal by text alone', new Error('Transaction cancelled'), 'declined'],
  ['a refusal as a string', 'User disapproved requested scopes', 'declined'],
  ['an unexpected error of a wallet', named('WalletSignTransactionError', 'Unexpected error'), undefined],
  [
    'a refusal inside of a named error',
    Object.assign(named('WalletSignTransactionError', ''), { error: coded(4001) }),
    'declined',
  ],
  ['a refusal as a cause', new Error('signing failed', { cause: new Error('User denied') }), 'declined'],
  [
    'a refusal on a device',
    named(
      'TransportStatusError',
      'Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)',
    ),
    'declined',
  ],
  ['a refusal on a device by status', { name: 'TransportStatusError', statusCode: 0x6985 }, 'declined'],
  ['a locked device', new Error('Ledger device: Locked device (0x5515)'), 'locked'],
  ['a locked device by status', { statusCode: 0x5515 }, 'locked'],
  ['a locked wallet', new Error('Please unlock your wallet'), 'locked'],
  ['a device without blind signing', new Error('Ledger device: UNKNOWN_ERROR (0x6808)'), 'blind'],
  ['a device with its app closed', new Error('Ledger device: UNKNOWN_APDU (0x6d02)'), 'closed'],
  ['a device that was unplugged', named('DisconnectedDevice', 'The device was disconnected.'), 'unplugged'],
  ['a wallet that still asks', coded(-32002, 'Request of type connect already pending'), 'busy'],
  ['a wallet that left', named('WalletNotConnectedError', ''), 'disconnected'],
  ['a wallet that left, by code', coded(4100, 'Unauthorized'), 'disconnected'],
  [
    'a phone without a wallet app',
    new Error('Found no installed wallet', { cause: coded('ERROR_WALLET_NOT_FOUND') }),
    'noApp',
  ],
  ['an error without a word', new Error(), 'silent'],
  ['no error at all', undefined, 'silent'],
  ['an empty object', {}, 'silent'],
  ['digits that look like a status of HTTP', new Error('balance 503 is below 15500'), undefined],
  ['an error of the program', new Error('custom program error: 0x1771'), undefined],
  ['an error inside of itself', loop(), undefined],
];

function loop(): Error {
  const error = new Error('strange');
  error.cause = error;
  return error;
}

describe("a wallet's error", () => {
  let explain: (error: unknown) => string;

  before(async () => {
    // The page's modules name its origin.
    Object.assign(globalThis, { location: new URL('https://launchpad.example') });
    ({ explain } = await import('../../web/src/trade/problems.js'));
  });
  after(() => Reflect.deleteProperty(globalThis, 'location'));

  for (const [what, error, problem] of CASES)
    it(`is ${problem ?? 'not guessed'}: ${what}`, () => expect(walletProblemOf(error)).to.equal(problem));

  it('is never told as trouble of the network because of its digits', () => {
    expect(explain(new Error('Ledger device: Locked device (0x5515)'))).to.equal(
      'Your wallet or its device is locked. Unlock it and try again. Nothing was spent.',
    );
    expect(explain(new Error('error 429: strange'))).to.equal('Error 429: strange.');
  });

  it('says that nothing was spent', () => {
    expect(explain(coded(4001))).to.equal('You declined in the wallet. Nothing was spent.');
    expect(explain(undefined)).to.equal('The wallet gave no reason. Nothing was spent.');
  });
});
