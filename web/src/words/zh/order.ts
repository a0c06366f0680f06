import type { orderWords as english } from '../order.js';
import type { Translation } from '../translation.js';

export const orderWords: Translation<typeof english> = {
  button: { buy: (symbol) => `买入 ${symbol}`, sell: (symbol) => `卖出 ${symbol}` },
  again: { buy: (more) => `仍然买入，贵 ${more}`, sell: (less) => `仍然卖出，少得 ${less}` },
  preparing: '正在模拟交易…',
  signing: '请在钱包中签名…',
  look: '请查看您的钱包：它在等待您的答复。',
  sending: '已发送。等待网络…',
  bought: (amount) => `已买入 ${amount}`,
  sold: (amount) => `已卖出 ${amount}`,
  asQuoted: '与报价一致',
  better: (percent) => `比报价好 ${percent}`,
  worse: (percent) => `比报价差 ${percent}`,
  confirmed: '已确认',
  finalized: '已最终确定',
  receipt: '回执',
  newQuote: '按新价格交易',
  unknown: '正在查询您的上一笔交易…',
  unknownHint: (signature) => `其结果尚不可知（${signature}）。此代币的交易会等待，以免重复买入。`,
  forget: '我已查过：再次交易',
  resolvedOk: '您的上一笔交易成功了。',
  resolvedFailed: '您的上一笔交易失败了。除网络费外没有花费。',
  resolvedExpired: '您的上一笔交易没有到达网络。没有花费。',
};
