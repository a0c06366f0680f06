import type { Translation } from '../translation.js';
import type { walletProblems as english } from '../wallet-problems.js';

export const walletProblems: Translation<typeof english> = {
  declined: '您在钱包中拒绝了。',
  locked: '您的钱包或设备已锁定。请解锁后再试。',
  closed: '您的设备上没有打开 Solana 应用。请打开后再试。',
  blind: '您的设备无法显示这笔交易。请在其 Solana 应用中允许盲签，然后再试。',
  unplugged: '您的设备没有连接。请连接并解锁后再试。',
  busy: '您的钱包仍在等待您答复之前的请求。请打开它。',
  disconnected: '钱包已不再与此页面连接。请重新连接。',
  noApp: '此设备上没有钱包应用答复。请打开应用后再试，或在其中打开此页面。',
  silent: '钱包没有说明原因。',
};
