/** Where a key is looked for. */
export interface KeySource {
  /** Without the question mark. */
  readonly query: string
  header(name: string): string | undefined
}

/** The key of an ingestion request. */
export interface IngestKey {
  /** Empty when there is none, or when a private key stands where only public ones may. */
  readonly text: string
  /** True when it came in the query string, as from a page's beacon. */
  readonly isBeacon: boolean
}

const PUBLIC_PREFIX = 'pub_'

/**
 * The key of the header `x-api-key`, else a public key of the query parameter `api_key`, for requests that cannot set
 * headers. A private key in a query string ends up in logs: it counts as none.
 */
export function chooseKey(source: KeySource): IngestKey {
  const sent = source.header('x-api-key')
  if (sent) return { text: sent, isBeacon: false }
  const inQuery = source.query === '' ? null : new URLSearchParams(source.query).get('api_key')
  if (inQuery === null) return { text: '', isBeacon: false }
  return { text: inQuery.startsWith(PUBLIC_PREFIX) ? inQuery : '', isBeacon: true }
}
