import { ServiceError } from '../../contract/service-error.ts'

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
