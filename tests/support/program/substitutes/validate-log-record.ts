import { ADMIN, type ValidateLogRecordAccounts } from '@curvekit/sdk';
import { rawValidateLogRecord } from '#tests/program/raw-instructions.js';
import { ADDRESS } from '#tests/program/refusals.js';
import { wallet, type Subject } from './shared.js';

export const validateLogRecord: Subject<ValidateLogRecordAccounts> = {
  name: 'validateLogRecord',
  build: (_, accounts) => rawValidateLogRecord({ accounts }),
  substitutes: {
    loggingAuthority: [
      ['a wallet', wallet, ADDRESS],
      ['the admin', () => ADMIN, ADDRESS],
    ],
  },
};
