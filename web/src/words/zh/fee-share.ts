import type { feeShareWords as english } from '../fee-share.js';
import type { Translation } from '../translation.js';

export const feeShareWords: Translation<typeof english> = {
  kinds: { creator: '您', traders: '您的交易者', split: '多个钱包' },
  hint: '发行前由您的钱包签名。永远不能更改。',
};
