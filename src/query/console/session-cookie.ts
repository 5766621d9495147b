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
