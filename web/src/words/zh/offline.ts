import type { offlineWords as english } from '../offline.js';
import type { Translation } from '../translation.js';

export const offlineWords: Translation<typeof english> = {
  title: '您已离线',
  text: '不显示价格，因为它们会过时。您的代币在链上是安全的。',
};
