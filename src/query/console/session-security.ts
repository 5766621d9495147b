import { ServiceError } from '../../contract/service-error.ts'

/** Path of the cookie: only these calls receive it. */
export const SESSION_PATH = '/console/session'

/** A cookie that scripts cannot read. */
export interface HiddenCookie {
  readonly name: string
  readonly maxAgeSeconds: number
}

/** The refresh token, with its lifetime of 90 days. */
export const SESSION_COOKIE: HiddenCookie = { name: 'millrace_session', maxAgeSeconds: 90 * 86_400 }

/** The attempt to sign in with a provider, which only the browser that started it can complete. */
export const ATTEMPT_COOKIE: HiddenCookie = { name: 'millrace_attempt', maxAgeSeconds: 600 }

/** A sign-in whose second factor is due, which only the browser that began it can complete. */
export const SECOND_FACTOR_COOKIE: HiddenCookie = { name: 'millrace_second_factor', maxAgeSeconds: 600 }

/** Reads a cookie from a Cookie header. */
export function readCookie({ name }: HiddenCookie, header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  return value === '' ? undefined : value
}

/** A Set-Cookie header that stores a value out of reach of scripts. */
export function writeCookie(
  { name, maxAgeSeconds }: HiddenCookie,
  value: string,
  scheme: 'http' | 'https',
): string {
  const secure = scheme === 'https' ? '; Secure' : ''
  return `${name}=${value}; Path=${SESSION_PATH}; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`
}

/** A Set-Cookie header that removes a cookie. */
export function clearCookie({ name }: HiddenCookie, scheme: 'http' | 'https'): string {
  return writeCookie({ name, maxAgeSeconds: 0 }, '', scheme)
}

/**
 * Rejects requests of pages from other origins, in addition to `SameSite=Strict`, which treats all subdomains of a domain as
 * one site. Throws `permission_denied`.
 */
export function assertSameOrigin(headers: Headers, publicUrl: string): void {
  const site = headers.get('sec-fetch-site')
  const isForeignSite = site !== null && site !== 'same-origin'
  if (!isForeignSite && isOwnOrigin(headers, publicUrl)) return
  throw new ServiceError({
    code: 'permission_denied',
    reason: 'ORIGIN_NOT_ALLOWED',
    message: 'only pages of this service may call this; set SERVICE_PUBLIC_URL',
  })
}

/** Programs send no origin and only their own cookies. A proxy may change the host. */
function isOwnOrigin(headers: Headers, publicUrl: string): boolean {
  const origin = headers.get('origin')
  if (origin === null) return true
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return [headers.get('host'), new URL(publicUrl).host].includes(host)
}
