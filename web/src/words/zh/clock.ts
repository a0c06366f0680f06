import type { clockWords as english } from '../clock.js';
import type { Translation } from '../translation.js';

export const clockWords: Translation<typeof english> = {
  off: (off, isFast) => `您设备的时钟${isFast ? '快' : '慢'}了 ${off}。页面改用服务的时间签名。`,
};
