import type { HeaderField } from '../../rpc/answer.ts'

/**
 * Restricts a page of the console to its own files and to calls of this service. Pages have no inline script or style, so
 * injected markup cannot run.
 */
function consolePolicy(frameAncestors: "'none'" | '*'): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')
}

/** Headers of every response of the console. Sign-in links contain a token, so no referrer is sent. */
export const SECURITY_HEADERS: readonly HeaderField[] = securityHeaders(consolePolicy("'none'"))

/** Headers of a page that pages of other sites may show in a frame. */
export const EMBED_HEADERS: readonly HeaderField[] = securityHeaders(consolePolicy('*')).filter(
  // It has no value that allows every site.
  ([name]) => name !== 'x-frame-options',
)

/** Security headers of a page, with its content security policy. */
export function securityHeaders(contentSecurityPolicy: string): readonly HeaderField[] {
  return [
    ['content-security-policy', contentSecurityPolicy],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()'],
  ]
}
