import { localhostAllowedOrigins, validateOriginHeader } from '@modelcontextprotocol/server'
import { ServiceError } from '../../contract/service-error.ts'

/** Refuses what pages of other origins send. Throws `permission_denied`. */
export type CheckOrigin = (headers: Headers) => void

/**
 * Pages of this service and of this machine may call; programs, which send no origin, always may. A page that had its name
 * point here still says its own name as the origin, and is refused. Browsers never add a key by themselves, so this is the
 * second lock and not the first.
 */
export function createCheckOrigin(publicUrl: string): CheckOrigin {
  const allowed = [...localhostAllowedOrigins(), new URL(publicUrl).hostname]
  return (headers) => {
    if (validateOriginHeader(headers.get('origin'), allowed).ok) return
    throw new ServiceError({
      code: 'permission_denied',
      reason: 'ORIGIN_NOT_ALLOWED',
      message: 'pages of this origin may not call; see SERVICE_PUBLIC_URL',
    })
  }
}
