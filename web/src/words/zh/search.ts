import type { searchWords as english } from '../search.js';
import type { Translation } from '../translation.js';

export const searchWords: Translation<typeof english> = {
  found: '找到的代币',
  none: '没有这样的代币',
  all: (query) => `“${query}”的全部结果`,
  wallet: (address) => `钱包 ${address}：其代币和交易`,
};
