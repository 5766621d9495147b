import { ServiceError } from '../contract/service-error.ts'
import type { ApiKeyGrant } from '../store/catalog/api-keys.ts'
import type { KeyResolver } from '../store/catalog/key-resolver.ts'

/** How the services of a package family know their callers (spec.md "Authentication"). */
type AuthMode = 'key' | 'token' | 'key or token' | 'none'

const MODES: Readonly<Record<string, AuthMode>> = {
  sdk: 'key',
  shared: 'key or token',
  dashboard: 'token',
  public: 'none',
}

/**
 * Authenticates a call of a service: what its key grants, or `undefined` where no credential is asked for. Throws
 * `unauthenticated` or, for a public key where it may not be used, `permission_denied`.
 */
export async function authenticate(
  keys: KeyResolver,
  service: string,
  headers: Headers,
): Promise<ApiKeyGrant | undefined> {
  const mode = MODES[service.split('.', 1)[0] ?? ''] ?? 'token'
  if (mode === 'none') return undefined
  const key = headers.get('x-api-key') ?? ''
  if (mode === 'token' || (mode === 'key or token' && key === '')) throw invalidToken(headers, mode)
  const grant = key === '' ? null : await keys.resolve(key)
  if (!grant) throw invalidKey(key)
  if (mode === 'key or token' && grant.kind === 'public') throw publicKeyNotAllowed()
  return grant
}

function invalidKey(key: string): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_API_KEY',
    message: key === '' ? 'the header x-api-key is required' : 'the API key is unknown or revoked',
  })
}

/** This release signs nobody in, so that no token is one of its own. */
function invalidToken(headers: Headers, mode: AuthMode): ServiceError {
  const isSent = headers.get('authorization') !== null
  const needed =
    mode === 'token' ? 'a bearer token' : 'the header x-api-key with a private key, or a bearer token,'
  return new ServiceError({
    code: 'unauthenticated',
    reason: isSent || mode === 'token' ? 'INVALID_TOKEN' : 'INVALID_API_KEY',
    message: isSent ? 'the token is not valid or has expired' : `${needed} is required`,
  })
}

function publicKeyNotAllowed(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'PUBLIC_KEY_NOT_ALLOWED',
    message: 'a public key may only ingest; use a private key',
  })
}
