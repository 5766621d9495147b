import { ServiceError } from '../contract/service-error.ts'
import type { ApiKeyGrant } from '../store/catalog/api-keys.ts'
import type { KeyResolver } from '../store/catalog/key-resolver.ts'

/**
 * Authenticates a call of a `shared.*` service: a private key. Throws `unauthenticated` or, for a public key,
 * `permission_denied` (spec.md "Authentication").
 */
export async function authenticateShared(keys: KeyResolver, headers: Headers): Promise<ApiKeyGrant> {
  const key = headers.get('x-api-key') ?? ''
  const grant = key === '' ? null : await keys.resolve(key)
  if (!grant) {
    throw new ServiceError({
      code: 'unauthenticated',
      reason: 'INVALID_API_KEY',
      message:
        key === ''
          ? 'the header x-api-key with a private key is required'
          : 'the API key is unknown or revoked',
    })
  }
  if (grant.kind === 'private') return grant
  throw new ServiceError({
    code: 'permission_denied',
    reason: 'PUBLIC_KEY_NOT_ALLOWED',
    message: 'a public key may only ingest; use a private key',
  })
}
