import type { detailWords as english } from '../token-details.js';
import type { Translation } from '../translation.js';

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
  byCreator: '由创建者填写。没有人核实过。',
  noDescription: '创建者没有描述该代币。',
  creator: '创建者',
  created: '创建于',
  mint: '地址',
  metadata: '元数据',
  notFetched: '服务还没有读取元数据。',
  incomplete: (problem) => `有缺失：${problem}。`,
  again: (time) => `服务会再次尝试：${time}。`,
  termsIntro:
    '曲线售罄时，其 SOL 和剩余代币进入资金池，流动性被销毁。社区份额的去向由创建者选定，写在链上，不可更改。',
  community: '社区的流动性份额',
  burn: '其中销毁',
  toHolders: '其中给持有者',
  toLp: '其中给流动性',
  toCreator: '其中给创建者',
  fee: '曲线上每笔交易的手续费',
};
