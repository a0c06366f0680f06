import type { graduationWords as english } from '../graduation.js';
import type { Translation } from '../translation.js';

export const graduationWords: Translation<typeof english> = {
  title: '代币毕业了',
  graduating: {
    pool: '曲线已售罄。它的资金池马上开启，交易在那里继续。',
    key: '曲线已售罄。运营者的密钥把其 SOL 和剩余代币移到一个市场。',
  },
  poolOpen: (name) => `${name} 现在在资金池中交易。流动性已销毁：无人能取走。`,
  movedUnknown: '运营者已把该代币移到他们选择的市场。',
  share: '复制链接',
  market: '打开它的市场',
};
