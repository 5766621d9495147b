import type { HeaderField } from '../../rpc/answer.ts'

/**
 * What a page of the console may do: run its own files and call this service, and nothing else. No script or style is in
 * the page itself, so that a text that found its way into it could do nothing.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of everything that the console answers. Links of sign-ins hold a token, so no address goes to other sites. */
export const SECURITY_HEADERS: readonly HeaderField[] = securityHeaders(CONTENT_SECURITY_POLICY)

/** What protects a page of this origin under a content security policy. */
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
