import type { Translation } from '../translation.js';
import type { walletWords as english } from '../wallet-page.js';

export const walletWords: Translation<typeof english> = {
  title: '钱包',
  holdings: '持有',
  created: '创建的代币',
  trades: '交易',
  value: '卖出可得',
  cost: '已付',
  received: '已收',
  profit: '盈亏',
  amount: '数量',
  token: '代币',
  noHoldings: '该钱包不持有本平台的代币',
  noCreated: '该钱包没有创建过代币',
  noTrades: '该钱包没有在这里交易过',
  failed: '无法显示该钱包',
  total: '全部卖出可得',
  valueHint: '现在全部卖出可得的金额，已扣费用。不是最新价格：大额卖出得不到它。',
  profitHint: '已收金额加上现在全部卖出可得，减去已付金额。',
  came: (tokens) => `${tokens} 不经交易转入；其成本未知`,
  left: (tokens) => `${tokens} 不经交易转出`,
  closed: '正在毕业',
  unknown: '未知',
  silentNode: 'RPC 节点没有说明该钱包持有什么。它恢复响应后会显示数量和盈亏。',
  address: '钱包地址',
};
