import type { AnchorHTMLAttributes } from 'react';
import { follow } from '../router.js';

/** A link to a page of this site. */
export function Link({ current, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { current?: boolean }) {
  return <a {...rest} {...(current === true ? { 'aria-current': 'page' } : {})} onClick={follow} />;
}

/** A link from untrusted text. Only https. */
export function StrangersLink({ href, children }: { readonly href: string; readonly children: string }) {
  if (!/^https:\/\/[^\s]+$/i.test(href)) return null;
  return (
    <a className="link" href={href} target="_blank" rel="nofollow ugc noopener noreferrer">
      {children} ↗
    </a>
  );
}
