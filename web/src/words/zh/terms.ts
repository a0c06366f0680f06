import type { Translation } from '../translation.js';
import type { termsText as english } from '../terms.js';

export const termsText: Translation<typeof english> = ({ serviceName, fee, start, graduation }) => [
  {
    title: '这是什么',
    paragraphs: [
      `${serviceName} 展示任何人都可发行的代币，并生成由您自己的钱包签署的交易。它不保管您的资金和密钥。`,
      '名称、图片、描述和链接由代币的创建者填写。没有人核实过。两个代币可以同名：请核对地址。',
    ],
  },
  {
    title: '价格如何形成',
    paragraphs: [
      `每个代币的总量固定为十亿。链上程序沿着一条以 ${start} 虚拟 SOL 开始的曲线出售它。每笔买入抬高价格，每笔卖出降低价格。`,
      graduation === 'pool'
        ? '曲线售罄时，其 SOL 和剩余代币进入资金池，流动性被销毁：无人能取回。'
        : '曲线售罄时，运营者的密钥取走其 SOL 和剩余代币。之后代币在哪里交易由运营者决定。',
    ],
  },
  {
    title: '费用',
    paragraphs: [
      `平台对曲线上的每笔交易收取 ${fee}。资金池有自己的费用。Solana 网络对每笔交易收费，开立每个账户须付租金。`,
    ],
  },
  {
    title: '可能出的问题',
    paragraphs: [
      '大多数代币会失去大部分价格。您支付的可能全部损失。只用您输得起的钱交易。',
      '报价与成交之间价格可能变动。滑点限制了变动的幅度。超出限制的交易会失败，最多损失网络费。',
      '已确认的交易可能因链的分叉而丢失，这很少见。约 13 秒后即为最终。',
    ],
  },
];
