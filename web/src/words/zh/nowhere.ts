import type { nowhereWords as english } from '../nowhere.js';
import type { Translation } from '../translation.js';

export const nowhereWords: Translation<typeof english> = {
  page: '链接已旧，或少了一个字符。',
  token: '这里没有这个代币',
  tokenHint: '请核对地址，或搜索名称。',
  asWallet: '作为钱包查看',
  toBoard: '回到首页',
};
