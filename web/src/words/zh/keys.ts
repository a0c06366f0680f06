import type { keyWords as english } from '../keys.js';
import type { Translation } from '../translation.js';

export const keyWords: Translation<typeof english> = {
  title: '键盘快捷键',
  keys: [
    ['/', '搜索'],
    ['b', '代币页面上的买入数量'],
    ['s', '代币页面上的卖出数量'],
    ['u', '显示或隐藏美元'],
    ['?', '本列表'],
    ['Esc', '关闭对话框'],
  ],
};
