import type { HeaderField } from '../../rpc/answer.ts'

/**
 * Restricts a page of the console to its own files and to calls of this service. Pages have no inline script or style, so
 * injected markup cannot run.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every response of the console. Sign-in links contain a token, so no referrer is sent. */
export const SECURITY_HEADERS: readonly HeaderField[] = securityHeaders(CONTENT_SECURITY_POLICY)

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
