import type {
  costWords as costs,
  holdingWords as holding,
  slippageWords as slippage,
  whatIfWords as whatIf,
} from '../trade-details.js';
import type { Translation } from '../translation.js';

export const slippageWords: Translation<typeof slippage> = {
  hint: '价格比这更差时，交易失败。',
  own: '自定义，%',
  high: '超过 5 %：他人可能抢在您之前交易，使您受损。',
};

export const holdingWords: Translation<typeof holding> = {
  hold: '您持有',
  sells: '卖出可得',
  sellAll: '全部卖出',
  paid: '已付',
  received: '已收',
};

export const whatIfWords: Translation<typeof whatIf> = {
  reading: '正在读取持有者…',
  unread: 'RPC 节点没有说明谁持有它。请稍后再试。',
  nobody: '没有其他人持有它。',
  creator: '创建者',
  largest: (count) => (count === 1 ? '最大的其他持有者' : `前 ${count} 名其他持有者`),
  yours: (who, fall, amount, worth) =>
    `如果${who}现在全部卖出，价格下跌 ${fall}：您的 ${amount} 届时可卖得 ${worth} SOL。`,
  theirs: (who, fall, paid) => `如果${who}现在全部卖出，价格下跌 ${fall}，卖出可得 ${paid} SOL。`,
};

export const costWords: Translation<typeof costs> = {
  fee: (percent) => `手续费（${percent}）`,
  poolFee: '资金池手续费',
  network: '网络费，最多',
  rent: '您的代币账户的租金',
};
