import type { mobileWords as english } from '../mobile.js';
import type { Translation } from '../translation.js';

export const mobileWords: Translation<typeof english> = {
  again: '您的浏览器现在允许此页面访问钱包应用。请再按一次。',
  blocked: '您的浏览器不允许此页面访问钱包应用。请在本网站的设置中允许“设备上的应用”，然后再按一次。',
};
