import type { Translation } from '../translation.js';
import type { dialogWords as english } from '../wallet-dialogs.js';

export const dialogWords: Translation<typeof english> = {
  fund: '领取 10 测试 SOL',
  funding: '正在申请测试 SOL…',
  connectTitle: '连接钱包',
  none: '此浏览器中没有找到钱包。请安装一个并重新加载页面。',
  noneOnPhone: '手机上的钱包是应用。请在您已有的钱包应用中打开此页面，或安装一个。',
  open: (name) => `在 ${name} 中打开`,
  get: (name) => `获取 ${name}`,
  noAccount: '钱包没有提供账户。请解锁它，并允许此页面。',
  look: '钱包尚未答复。请查看它，或再次选择它。',
  insecure: '临时钱包需要 https 或 localhost 上的页面来保存密钥。请在这里使用其他钱包。',
  account: '您的钱包',
  disconnect: '断开连接',
  mine: '我的代币和交易',
  faucetDone: '测试 SOL 已到账。',
};
