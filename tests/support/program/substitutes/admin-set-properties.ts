import { KEY_HELD_DEPLOYMENT, SETTINGS_SEED, type AdminSetPropertiesAccounts } from '@curvekit/sdk';
import { nonCanonicalAddress } from '#tests/program/non-canonical.js';
import { rawAdminSetProperties } from '#tests/program/raw-instructions.js';
import { ADDRESS } from '#tests/program/refusals.js';
import { wallet, nothing, NOT_SYSTEM, NOT_RENT, type Subject } from './shared.js';

export const adminSetProperties: Subject<AdminSetPropertiesAccounts> = {
  name: 'adminSetProperties',
  build: (_, accounts) => rawAdminSetProperties({ accounts }),
  substitutes: {
    adminAccount: [
      ['a wallet', wallet, ADDRESS],
      ['the fee receiver', () => KEY_HELD_DEPLOYMENT.feeReceiver, ADDRESS],
    ],
    propertiesAccount: [
      ['a curve', ({ token }) => token.curve.address, ADDRESS],
      ['the address with a non-canonical bump', () => nonCanonicalAddress([SETTINGS_SEED]).address, ADDRESS],
      ['a wallet', wallet, ADDRESS],
      ['an address without an account', nothing, ADDRESS],
    ],
    systemProgram: NOT_SYSTEM,
    rentSysvar: NOT_RENT,
  },
};
