/** Outcome for a request head whose target is not in origin-form. */
export type TargetOutcome =
  | { readonly kind: 'head'; readonly head: string }
  | { readonly kind: 'refused'; readonly status: 400 | 501; readonly message: string }

const REQUEST_LINE = /^(\S+) (\S+) HTTP\/1\.1\r\n/
const ABSOLUTE = /^https?:\/\/([^/?#]*)([/?][^#]*)?$/i
/** RFC 9110 section 4.2.4: the deprecated user information is an error. */
const AUTHORITY = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i
const HOST = /\r\nhost:[^\r]*/i

/** Target of `OPTIONS *` in origin-form: uWebSockets.js routes paths only, and answers OPTIONS alike for each of them. */
const WHOLE_SERVER = '/*'

/**
 * Rewrites the target of a request to origin-form, the only form that uWebSockets.js routes: it answers the others with an
 * HTML page of its own. RFC 9112 section 3.2 obliges servers to accept the absolute form, whose authority replaces `Host`, and
 * `OPTIONS *`. `head` is the request line and the fields, each with its CRLF.
 */
export function toOriginForm(head: string): TargetOutcome {
  const [line = '', method = '', target = ''] = REQUEST_LINE.exec(head) ?? []
  if (target.startsWith('/')) return { kind: 'head', head }
  if (method === 'CONNECT') return { kind: 'refused', status: 501, message: 'CONNECT is not supported' }
  const fields = head.slice(line.length)
  if (target === '*' && method === 'OPTIONS') return rewritten(method, WHOLE_SERVER, fields)
  const [, authority = '', path = '/'] = ABSOLUTE.exec(target) ?? []
  if (!AUTHORITY.test(authority) || !HOST.test(`\r\n${fields}`)) {
    const message = 'the request target must be a path, or an http or https URL without a user, beside a Host'
    return { kind: 'refused', status: 400, message }
  }
  const withHost = `\r\n${fields}`.replace(HOST, () => `\r\nhost: ${authority}`).slice(2)
  return rewritten(method, path.startsWith('/') ? path : `/${path}`, withHost)
}

function rewritten(method: string, target: string, fields: string): TargetOutcome {
  return { kind: 'head', head: `${method} ${target} HTTP/1.1\r\n${fields}` }
}
