import type { graduationWords as english } from '../graduation.js';
import type { Translation } from '../translation.js';

export const graduationWords: Translation<typeof english> = {
  title: '已售罄：代币毕业了',
  graduating: '曲线已售罄。它的资金池马上开启，交易在那里继续。',
  poolOpen: (name) => `${name} 现在在资金池中交易。流动性已销毁。`,
  movedUnknown: '运营者已把该代币移到他们选择的市场。',
  market: '打开它的市场',
};
