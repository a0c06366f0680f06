import { useState } from 'react';
import { address as shortened } from '../format.js';
import { follow } from '../router.js';
import { words } from '../words/words.js';

/** A wallet, as a link to its page. */
export function Wallet({ address, own = false }: { readonly address: string; readonly own?: boolean }) {
  return (
    <a className="mono wallet-link" href={`/w/${address}`} title={address} onClick={follow}>
      {own ? words.you : shortened(address)}
    </a>
  );
}

export function CopyAddress({ address, what }: { readonly address: string; readonly what: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="copy mono"
      title={address}
      aria-label={words.copy(what)}
      onClick={() => {
        void copyText(address).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), 1_500);
        });
      }}
    >
      {shortened(address)}
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" className="glyph">
        {copied ? <path d="M2.5 7.5 5.5 10.5 11.5 4" /> : <path d="M5 5V2.5h6.5V9H9M2.5 5H9v6.5H2.5Z" />}
      </svg>
      <span className="sr" role="status">
        {copied ? words.copied : ''}
      </span>
    </button>
  );
}

/** Without https, browsers have no `navigator.clipboard`. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.body.appendChild(document.createElement('textarea'));
  field.value = text;
  field.select();
  document.execCommand('copy');
  field.remove();
}

interface CopyLinkProps {
  readonly url: string;
  readonly title: string;
  readonly className: string;
}

/** Copies a link, and says so. */
export function CopyLink({ url, title, className }: CopyLinkProps) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className={className}
      onClick={() => void copyText(url).then(() => setCopied(true))}
    >
      {copied ? words.copied : title}
    </button>
  );
}
