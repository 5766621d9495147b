import { ServiceError } from '../../contract/service-error.ts'

/**
 * Refuses what pages of other origins send, as a second lock beside `SameSite=Strict`: for that attribute, every subdomain
 * of a domain is one site. Throws `permission_denied`.
 */
export function assertSameOrigin(headers: Headers, publicUrl: string): void {
  const site = headers.get('sec-fetch-site')
  const isForeignSite = site !== null && site !== 'same-origin'
  if (!isForeignSite && isOwnOrigin(headers, publicUrl)) return
  throw new ServiceError({
    code: 'permission_denied',
    reason: 'ORIGIN_NOT_ALLOWED',
    message: 'only pages of this service may call this; see SERVICE_PUBLIC_URL',
  })
}

/** Programs send no origin, and no cookie that is not theirs. A proxy may change the host. */
function isOwnOrigin(headers: Headers, publicUrl: string): boolean {
  const origin = headers.get('origin')
  if (origin === null) return true
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return [headers.get('host'), new URL(publicUrl).host].includes(host)
}
