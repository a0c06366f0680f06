// What a shared link shows, and what the page draws first. Names of tokens are strangers' words.
import { dataElement, type FirstValues } from './first-values.js';

export interface Head {
  readonly title: string;
  readonly description: string;
  /** Absolute. */
  readonly url: string;
  /** Absolute; undefined for none. */
  readonly image: string | undefined;
  /** Scripts to load at once. */
  readonly preloads: readonly string[];
  /** Keeps search engines away: the path has no page. */
  readonly isMissing: boolean;
  /** Undefined where the page has to ask. */
  readonly first: FirstValues | undefined;
}

/** The page with the tags of a path in its head. */
export function withHead(html: string, serviceName: string, head: Head): string {
  const { title, description, url, image, preloads, isMissing, first } = head;
  const tags = [
    `<title>${escape(title)}</title>`,
    meta('name', 'description', description),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', serviceName),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', url),
    ...(image === undefined ? [] : [meta('property', 'og:image', image)]),
    meta('name', 'twitter:card', image === undefined ? 'summary' : 'summary_large_image'),
    isMissing ? meta('name', 'robots', 'noindex') : `<link rel="canonical" href="${escape(url)}">`,
    ...preloads.map((file) => `<link rel="modulepreload" href="${escape(file)}">`),
    ...(first === undefined ? [] : [dataElement(first)]),
  ];
  const bare = html.replace(/<title>[^<]*<\/title>/, '').replace(/<meta\s+name="description"[^>]*>/, '');
  // A function: in text for a replacement, a name such as `$&` would mean something.
  return bare.replace('</head>', () => `${tags.join('')}</head>`);
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escape(content)}">`;
}

/** Text for HTML and SVG, between tags and in attributes. */
export function escape(text: string): string {
  return text.replace(/[&<>"'`]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Text without what makes other text around it read differently: controls, directions, characters without width. */
export function plainWords(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
