import type { boardWords as board, introWords as intro } from '../board.js';
import type { Translation } from '../translation.js';

export const introWords: Translation<typeof intro> = {
  title: '如何运作',
  steps: (goal, graduation) => [
    ['任何人都可发行。', '十亿枚代币，无人能再增发。'],
    ['由曲线出售。', '每笔买入推动价格。售罄之前，您可以卖回给曲线。'],
    graduation === 'pool'
      ? [`到 ${goal} SOL 时开资金池。`, '其流动性被销毁：无人能取走。']
      : [`到 ${goal} SOL 时售罄。`, '运营者的密钥把其 SOL 和代币移到一个市场。'],
  ],
  launch: '发行代币',
};

export const boardWords: Translation<typeof board> = {
  soon: '即将毕业',
  closest: '最接近毕业',
  tokens: '代币',
  tabs: { new: '最新', trending: '热门', top: '市值', active: '活跃', graduated: '已毕业', watched: '关注' },
  sortedBy: '哪些代币',
  columns: {
    token: '代币',
    curve: '曲线',
    cap: '市值',
    change: '24 小时',
    volume: '24 小时成交量',
    last: '最近交易',
  },
  marketCap: '市值',
  toGraduation: '距毕业',
  sold: '已售出',
  by: '创建者',
  trades: (_count, shown) => `${shown} 笔交易`,
  fresh: (count) => `${count} 个新代币 ↑`,
  trade: '交易',
  sinceLaunch: '自发行以来',
  tellMe: '售出 50 %、毕业以及涨跌 20 % 时通知我',
  told: {
    half: (name) => `${name}：曲线已售出一半`,
    graduated: (name) => `${name} 毕业了`,
    moved: (name, change) => `${name}：${change}`,
  },
  noTelling: '此浏览器不允许页面通知您。请为本网站允许通知。',
  graduated: '已毕业',
  graduating: '正在毕业',
  pool: '在资金池中',
  never: '尚无',
  failed: '无法显示代币',
  empty: '还没有人创建代币',
  emptyHint: '第一个可以是您的：只需名称、图片和一分钟。',
  emptyGraduated: '还没有代币毕业',
  emptyGraduatedHint: '曲线售罄时代币毕业。最接近的在首页上。',
  emptyWatched: '您还没有关注代币',
  emptyWatchedHint: '请按名称旁的星号。此浏览器最多记住 50 个。',
  noMatch: (query) => `没有与“${query}”匹配的代币`,
  noMatchHint: '请按名称开头、代号、地址，或创建者的地址搜索。',
  launchOne: introWords.launch,
  searchFor: (query) => `“${query}”的结果`,
  clear: '清除搜索',
};
