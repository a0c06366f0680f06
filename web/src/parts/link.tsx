import type { AnchorHTMLAttributes } from 'react';
import { useConfig } from '../config.js';
import { follow } from '../router.js';
import { words } from '../words/words.js';

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

/** The explorer's page of an address or a transaction; nothing where no explorer shows the cluster. @param path `tx/SIGNATURE` */
export function ExplorerLink({ path }: { readonly path: string }) {
  const { explorer } = useConfig();
  if (explorer === null) return null;
  return (
    <a className="link" href={explorer.replace('{path}', path)} target="_blank" rel="noreferrer">
      {words.tokenPage.explorer} ↗
    </a>
  );
}
