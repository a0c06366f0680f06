import type { detailWords as english } from '../token-details.js';
import type { Translation } from '../translation.js';

const trade = (number: string | undefined, signature: string) =>
  number === undefined ? `交易 ${signature} ` : `第 ${number} 笔交易 ${signature} `;

export const detailWords: Translation<typeof english> = {
  chartColumns: ['时间', '开', '高', '低', '收', '成交量'],
  noHolders: '还没有人持有',
  firstHold: (count, share) =>
    count === 1 ? `最大持有者持有 ${share}。` : `前 ${count} 名持有者共持有 ${share}。`,
  wallet: '钱包',
  amount: '数量',
  share: '占比',
  is: { curve: '联合曲线', pool: '资金池', creator: '创建者', operator: '平台运营者' },
  checking: '正在读取链上的代币…',
  unchecked: 'RPC 节点没有响应。请稍后再试。',
  noMint: 'RPC 节点不认识这个代币。',
  checked: (slot) => `由您的浏览器在 slot ${slot} 核对：`,
  notMintable: (supply) => `共有 ${supply}，无人能再增发。`,
  mintable: '还可以增发更多代币！',
  notFreezable: '无人能冻结您持有的代币。',
  freezable: '有人能冻结您持有的代币！',
  replay: {
    progress: '已读取的交易',
    reading: (read, all) => `正在读取交易：约 ${all} 笔中的 ${read} 笔…`,
    again: '交易列表与链上不一致。正在重新读取两者…',
    'node-silent': 'RPC 节点没有给出曲线的持有量，因此没有核对交易。请稍后再试。',
    'service-silent': '服务没有列出交易，因此没有核对。请稍后再试。',
    impossible: '没有核对交易：此浏览器无法启动 worker。',
    unlisted: (slot) =>
      `服务没有列出交易。在 slot ${slot}，曲线的储备与今天发行的代币不同：平台的设置后来有变，或者有交易缺失。`,
    untraded: (slot) => `在 slot ${slot}，曲线持有的与开始时相同。它没有交易。`,
    same: (_count, text, slot) => `${text} 笔交易之和与链上在 slot ${slot} 的持有量一致。`,
    newer: (count) => `${count} 笔交易比 RPC 节点的 slot 更新。`,
    parts: (number, signature) => `${trade(number, signature)}与前一笔交易接不上。`,
    partsFromLaunch: (signature) => `缺少交易：列出的第一笔 ${signature} 与发行接不上。`,
    unheld: (number, signature, slot) =>
      `${trade(number, signature)}在列表中，但链上在 slot ${slot} 没有它。`,
    elsewhere: (_count, text, slot) =>
      `${text} 笔交易之和与链上在 slot ${slot} 的持有量不一致。有交易缺失或被改动，或者服务的索引落后于链。`,
    partly: (read) => `前 ${read} 笔交易与发行相接。没有读取之后的交易。`,
    cut: (read) => `没有读取更早的交易：最新 ${read} 笔中每一笔都与前一笔相接。`,
    otherLaunch:
      '列出的第一笔交易开始时的储备与今天发行的代币不同：平台的设置后来有变，或者有更早的交易缺失。',
    otherFees: (_count, text, fee) => `${text} 笔交易的费率不是今天的 ${fee}。`,
    pool: '没有核对资金池中的交易：它们不显示 AMM 留下的费用。',
    scope: '核对的是数量和储备，不是谁在交易。',
    receipt: '查看',
  },
  byCreator: '由创建者填写。没有人核实过。',
  noDescription: '创建者没有描述该代币。',
  creator: '创建者',
  earns: {
    creator: (part) => `得到曲线上每笔交易的 ${part}`,
    split: (part, wallets) => `把曲线上每笔交易的 ${part} 分给 ${wallets} 个钱包`,
    traders: (part) => `把曲线上每笔交易的 ${part} 返还给交易者`,
  },
  created: '创建于',
  mint: '地址',
  metadata: '元数据',
  notFetched: '服务还没有读取元数据。',
  incomplete: (problem) => `有缺失：${problem}。`,
  again: (time) => `服务会再次尝试：${time}。`,
  graduates: {
    pool: '曲线售罄时，其 SOL 和剩余代币进入资金池，流动性被销毁。',
    key: '曲线售罄时，运营者的密钥把其 SOL 和剩余代币移到一个市场。',
  },
  communityIntro: '社区份额的去向由创建者选定，写在链上，不可更改。',
  community: '社区的流动性份额',
  burn: '其中销毁',
  toHolders: '其中给持有者',
  toLp: '其中给流动性',
  toCreator: '其中给创建者',
  fee: '曲线上每笔交易的手续费',
};
