import { ServiceError } from '../../contract/service-error.ts'

/** Path of the cookie: only these calls receive it. */
export const SESSION_PATH = '/console/session'

const NAME = 'millrace_session'

/** Lifetime of a refresh token: 90 days. */
const MAX_AGE_SECONDS = 90 * 86_400

/** Reads the refresh token from a Cookie header. */
export function readSessionCookie(header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1)
  return value === '' ? undefined : value
}

/** A Set-Cookie header that stores a refresh token out of reach of scripts. */
export function writeSessionCookie(refreshToken: string, scheme: 'http' | 'https'): string {
  return setCookie(refreshToken, MAX_AGE_SECONDS, scheme)
}

/** A Set-Cookie header that removes the refresh token. */
export function clearSessionCookie(scheme: 'http' | 'https'): string {
  return setCookie('', 0, scheme)
}

function setCookie(value: string, maxAgeSeconds: number, scheme: 'http' | 'https'): string {
  const secure = scheme === 'https' ? '; Secure' : ''
  return `${NAME}=${value}; Path=${SESSION_PATH}; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`
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
