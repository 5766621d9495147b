import { ServiceError } from '../../contract/service-error.ts'

/** A list of values as the opaque text that clients send back to get the next page. */
export function encodePageToken(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** The list inside a token; nothing for a text that is no token. Whoever asks checks what is in it. */
export function decodePageToken(token: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

/** The token is not one that this service gave out for this question. */
export function invalidPageToken(): ServiceError {
  const description = 'is not one that this service gave out for this question'
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_PAGE_TOKEN',
    message: `pageToken ${description}`,
    violations: [{ field: 'pageToken', description }],
  })
}
