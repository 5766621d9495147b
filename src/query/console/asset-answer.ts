import type { Answer, HeaderField } from '../../rpc/answer.ts'
import { chooseFileCoding, hasFile } from '../http/file-negotiation.ts'
import { type Asset, type Assets, INDEX_PATH } from './assets.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

/** A request for a file or a page. */
export interface AssetRequest {
  readonly method: string
  readonly path: string
  readonly header: (name: string) => string | undefined
}

/** One year: a file name with a digest identifies its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Millrace</title></head>
<body><h1>The console is not built</h1>
<p>The service is running. Build the console with <code>npm run build:console</code>, then start the service again.</p>
</body></html>
`

/** Pages that people link to from elsewhere. Chats and link checkers look at such a link as programs that accept any type. */
const LINKED_PATH = /^\/(?:(?:share|embed)\/[\w-]+\/?)?$/

/**
 * Answers a request for a file or a page. The console is one page, so every path that a browser requests as HTML gets it, and a link to a
 * shared dashboard for any request. `undefined` for all other requests.
 */
export function answerAsset(request: AssetRequest, assets: Assets): Answer | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  const asset = request.path === INDEX_PATH ? undefined : assets.get(request.path)
  if (asset) return answerFile(asset, request)
  const wantsPage = (request.header('accept') ?? '').includes('text/html')
  if (!wantsPage && !LINKED_PATH.test(request.path)) return undefined
  const index = assets.get(INDEX_PATH)
  return index ? answerFile(index, request) : answerNotBuilt()
}

/** Answers with a file, in the smallest coding that the client accepts; `304` when the client has it cached. */
export function answerFile(
  asset: Asset,
  request: AssetRequest,
  page: { readonly headers?: readonly HeaderField[]; readonly status?: number } = {},
): Answer {
  const headers: HeaderField[] = [
    ...(page.headers ?? SECURITY_HEADERS),
    ['content-type', asset.contentType],
    ['cache-control', asset.isImmutable ? IMMUTABLE : 'no-cache'],
    ['etag', asset.etag],
    ['vary', 'accept-encoding'],
  ]
  if (hasFile(request.header('if-none-match') ?? '', asset.etag)) return { status: 304, headers, body: '' }
  const coding = chooseFileCoding(request.header('accept-encoding') ?? '', (one) => asset[one] !== undefined)
  if (coding !== undefined) headers.push(['content-encoding', coding])
  const body = (coding && asset[coding]) ?? asset.plain
  return { status: page.status ?? 200, headers, body: request.method === 'HEAD' ? '' : body }
}

function answerNotBuilt(): Answer {
  const headers: HeaderField[] = [
    ...SECURITY_HEADERS,
    ['content-type', 'text/html; charset=utf-8'],
    ['cache-control', 'no-store'],
  ]
  return { status: 503, headers, body: NOT_BUILT }
}
