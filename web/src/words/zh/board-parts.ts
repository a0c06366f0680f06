import type { boardPartWords as english } from '../board-parts.js';
import type { Translation } from '../translation.js';

export const boardPartWords: Translation<typeof english> = {
  tellMe: '售出 50 %、毕业以及涨跌 20 % 时通知我',
  told: {
    half: (name) => `${name}：曲线已售出一半`,
    graduated: (name) => `${name} 毕业了`,
    moved: (name, change) => `${name}：${change}`,
  },
  noTelling: '此浏览器不允许页面通知您。请为本网站允许通知。',
  anyVolume: '任意成交量',
  volumeFrom: (sol) => `24 小时 ≥ ${sol} SOL`,
  anyAge: '任意时间',
  youngerThan: (age) => `${age}内创建`,
  unsold: '创建者未卖出',
  empty: '还没有人创建代币',
  emptyHint: '第一个可以是您的：只需名称、图片和一分钟。',
  emptyGraduated: '还没有代币毕业',
  emptyGraduatedHint: '曲线售罄时代币毕业。最接近的在首页上。',
  emptyWatched: '您还没有关注代币',
  emptyWatchedHint: '请按名称旁的星号。此浏览器最多记住 50 个。',
  emptyFiltered: '没有这样的代币',
  emptyFilteredHint: '没有代币符合所有筛选条件。请减少条件。',
  noMatch: (query) => `没有与“${query}”匹配的代币`,
  noMatchHint: '请按名称或代号的一部分、地址开头，或创建者的地址搜索。',
};
