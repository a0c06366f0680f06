import type { introWords as english } from '../intro.js';
import type { Translation } from '../translation.js';

export const introWords: Translation<typeof english> = {
  title: '如何运作',
  steps: (goal, graduation) => [
    ['任何人都可发行。', '十亿枚代币，无人能再增发。'],
    ['由曲线出售。', '每笔买入推动价格。售罄之前，您可以卖回给曲线。'],
    graduation === 'pool'
      ? [`到 ${goal} SOL 时开资金池。`, '其流动性被销毁：无人能取走。']
      : [`到 ${goal} SOL 时售罄。`, '运营者的密钥把其 SOL 和代币移到一个市场。'],
  ],
  launch: '发行代币',
  about: (cost) => `约 ${cost} SOL`,
  proofs: '证明',
};
