/** Where the cookie is sent: to the calls that need it, and with no other request. */
export const SESSION_PATH = '/console/session'

const NAME = 'millrace_session'

/** As long as a refresh token is good: 90 days. */
const MAX_AGE_SECONDS = 90 * 86_400

/** The refresh token in a Cookie header; `undefined` when there is none. */
export function readSessionCookie(header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1)
  return value === '' ? undefined : value
}

/** A Set-Cookie header that keeps a refresh token where no script can read it. */
export function writeSessionCookie(refreshToken: string, scheme: 'http' | 'https'): string {
  return setCookie(refreshToken, MAX_AGE_SECONDS, scheme)
}

/** A Set-Cookie header that forgets it. */
export function clearSessionCookie(scheme: 'http' | 'https'): string {
  return setCookie('', 0, scheme)
}

function setCookie(value: string, maxAgeSeconds: number, scheme: 'http' | 'https'): string {
  const secure = scheme === 'https' ? '; Secure' : ''
  return `${NAME}=${value}; Path=${SESSION_PATH}; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`
}
