// The tags that a shared link shows, and the data that the page draws first. Token names are untrusted text.
import { LANGUAGE_KEY, type Language } from '../../../web/src/languages.js';
import { dataElement, type FirstValues } from './first-values.js';

export interface Head {
  readonly title: string;
  readonly description: string;
  /** Absolute URL. */
  readonly url: string;
  /** Absolute URL; undefined without a picture. */
  readonly image: string | undefined;
  /** In which the page exists. */
  readonly languages: readonly Language[];
  readonly preloads: readonly string[];
  /** Whether search engines must not index the path, because it has no page. */
  readonly isMissing: boolean;
  /** Undefined when the page must request the data itself. */
  readonly first: FirstValues | undefined;
}

/** The page's document with the path's tags in its head. */
export function withHead(html: string, serviceName: string, head: Head): string {
  const { title, description, url, image, languages, preloads, isMissing, first } = head;
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
    ...languages.map(
      (code) => `<link rel="alternate" hreflang="${code}" href="${escape(url)}?${LANGUAGE_KEY}=${code}">`,
    ),
    ...preloads.map((file) => `<link rel="modulepreload" href="${escape(file)}">`),
    ...(first === undefined ? [] : [dataElement(first)]),
  ];
  const bare = html.replace(/<title>[^<]*<\/title>/, '').replace(/<meta\s+name="description"[^>]*>/, '');
  // A function, because a replacement string would interpret a name such as `$&`.
  return bare.replace('</head>', () => `${tags.join('')}</head>`);
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escape(content)}">`;
}

/** Escapes text for HTML and SVG, between tags and in attributes. */
export function escape(text: string): string {
  return text.replace(/[&<>"'`]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/**
 * Removes characters that change how surrounding text reads (controls, text direction, zero width), and those that XML
 * refuses.
 */
export function plainWords(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
