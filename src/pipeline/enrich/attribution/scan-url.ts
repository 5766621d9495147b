/** The parts of an http(s) URL that attribution reads. */
export interface UrlParts {
  /** As in WHATWG URL: lower-case, international names in ASCII, without a port. */
  readonly hostname: string
  /** As in WHATWG URL: at least a slash, percent-encoded. */
  readonly pathname: string
  /** The text after the question mark, not decoded; its parameters decode to those of WHATWG URL. */
  readonly query: string
}

/**
 * A URL that WHATWG URL does not change, with its host, path and query:
 * - labels of the host are not empty, not encoded (`xn--`), and the last one cannot be a number;
 * - the port has at most four digits;
 * - the path has no dot segment, no encoded dot, and no character that would be encoded;
 * - the query is printable ASCII.
 * No part can match in two ways, so the time is linear in the length.
 */
const PLAIN_URL =
  /^https?:\/\/((?:[a-z0-9](?:-?[a-z0-9])*\.)*[a-z](?:-?[a-z0-9])*)(?::\d{1,4})?(?=[/?#]|$)((?:\/(?!\.)|%(?!2[eE])|[!$&-.0-;=@-[\]_a-z|~])*)(?:\?([!"$-~]*))?(?:#|$)/

/**
 * Splits an http(s) URL; `undefined` for other text. Nearly all URLs are plain and are split at half the cost of WHATWG URL;
 * the others go through it. A test compares both.
 */
export function scanUrl(text: string): UrlParts | undefined {
  const match = PLAIN_URL.exec(text)
  if (match === null) return parseUrl(text)
  const [, hostname = '', pathname = '', query = ''] = match
  return { hostname, pathname: pathname === '' ? '/' : pathname, query }
}

/** The slow twin of {@link scanUrl}. */
export function parseUrl(text: string): UrlParts | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return { hostname: url.hostname, pathname: url.pathname, query: url.search.slice(1) }
}
