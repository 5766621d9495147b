import type { Answer } from '../../rpc/answer.ts'
import { type AssetRequest, answerAsset } from './asset-answer.ts'
import type { Assets } from './assets.ts'
import { EMBED_HEADERS, SECURITY_HEADERS } from './security-headers.ts'

/** Whether pages of other sites may show the shared dashboard in a frame. */
export type IsEmbeddable = (shareId: string) => Promise<boolean>

const EMBED_PATH = /^\/embed\/([\w-]+)\/?$/

/**
 * Answers requests for shared dashboards at the address for frames; `undefined` for others. Other sites may show the page in a
 * frame only when its share allows it, so the console itself is never in one.
 */
export function createEmbedPages(
  assets: Assets,
  isEmbeddable: IsEmbeddable,
): (request: AssetRequest) => Promise<Answer> | undefined {
  return (request) => {
    const shareId = EMBED_PATH.exec(request.path)?.[1]
    const page = shareId === undefined ? undefined : answerAsset(unconditional(request), assets)
    return page && shareId !== undefined ? withFrames(page, isEmbeddable(shareId)) : undefined
  }
}

/** Browsers would apply headers of the cached page after the share has changed. */
function unconditional(request: AssetRequest): AssetRequest {
  return { ...request, header: (name) => (name === 'if-none-match' ? undefined : request.header(name)) }
}

async function withFrames(page: Answer, permission: Promise<boolean>): Promise<Answer> {
  // Without the catalog no site may embed the page, which then shows the error.
  const isAllowed = await permission.catch(() => false)
  const changed = new Set([...SECURITY_HEADERS.map(([name]) => name), 'cache-control'])
  return {
    ...page,
    headers: [
      ...(isAllowed ? EMBED_HEADERS : SECURITY_HEADERS),
      ['cache-control', 'no-store'],
      ...page.headers.filter(([name]) => !changed.has(name)),
    ],
  }
}
