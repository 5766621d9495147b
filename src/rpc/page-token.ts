import { ServiceError } from '../contract/service-error.ts'

/** Encodes a list of values as opaque text, which clients send back to get the next page. */
export function encodePageToken(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Decodes a token; an invalid one yields an empty list. The caller validates the values. */
export function decodePageToken(token: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

/** The error for a token that this service did not issue for the request. */
export function invalidPageToken(): ServiceError {
  const description = 'was not issued for this request; start again from the first page'
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_PAGE_TOKEN',
    message: `pageToken ${description}`,
    violations: [{ field: 'pageToken', description }],
  })
}
