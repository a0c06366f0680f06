import type { pageLinks as links, pageTitles as titles, sharedWords as shared } from '../pages.js';
import type { Translation } from '../translation.js';

export const pageTitles: Translation<typeof titles> = {
  board: '首页',
  launch: '发行代币',
  rewards: '奖励',
  wallet: '钱包',
  receipt: '回执',
  terms: '条款',
};

export const pageLinks: Translation<typeof links> = { board: '首页', launch: '发行', rewards: '奖励' };

export const sharedWords: Translation<typeof shared> = {
  pages: '页面',
  search: '搜索',
  board: '发行和交易代币',
  tokens: '代币',
  descriptions: {
    board: '在 Solana 上发行和交易代币：先在联合曲线上，最后进入资金池。',
    launch: '一个名称、一张图片，就能交易：无需代码，无需押金。',
    wallet: '一个钱包持有、发行和交易过的代币。',
    rewards: '查看您的钱包获得的奖励，并领取。',
    terms: '本平台做什么，费用多少，可能出什么问题。',
  },
  token: (cap, place) => `市值 ${cap} SOL，${place}。`,
  bought: (amount) => `买入 ${amount}`,
  sold: (amount) => `卖出 ${amount}`,
  price: (sol) => `共 ${sol} SOL`,
  receipt: (name, place, all, slot) => `${name}：slot ${slot} 中此代币 ${all} 笔交易的第 ${place} 笔。`,
  onItsWay: (percent) => `毕业进度 ${percent}`,
  inPool: '在资金池中交易',
  graduated: '已毕业',
  missing: ['未找到', '没有这个页面。'],
  noScript: '此页面需要 JavaScript：它绘制实时价格，并与您的钱包通信。',
};
