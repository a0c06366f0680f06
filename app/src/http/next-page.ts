/**
 * The value of a `Link` header to the next page (RFC 8288). With the service's public URL it is absolute. Without it, it is
 * relative to the request, so it fits any prefix that a proxy adds to the path.
 *
 * @param path of the request, from the root of the service
 */
export function nextPageLink(
  publicUrl: string | undefined,
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  const base = publicUrl === undefined ? '' : publicUrl.replace(/\/+$/, '') + path;
  return `<${base}?${new URLSearchParams(query).toString()}>; rel="next"`;
}
