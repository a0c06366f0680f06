import { words } from './words.js';

export const programProblems: Readonly<Record<number, string>> = {
  6000: '页面混淆了两个代币。请重新加载。',
  6001: words.trade.soldOut,
  6002: '该代币还没有毕业。',
  6003: '价格超出了您的限制。',
  6004: '这不是本平台的收费地址。请重新加载页面。',
  6005: words.trade.noAmount,
};
