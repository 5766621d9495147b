import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { INSTALLATION } from '../../kernel/installation.ts'
import type { Answer, HeaderField } from '../../rpc/answer.ts'
import { type AssetRequest, answerFile } from './asset-answer.ts'
import { type Assets, loadAssets } from './assets.ts'
import { securityHeaders } from './security-headers.ts'

/** Path of the documentation, which its build uses as the base of every link. */
const BASE = '/docs'

/** Output of `npm run docs`. */
const BUILT_FOLDER = join(INSTALLATION, 'dist-docs')

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Millrace documentation</title></head>
<body><h1>The documentation is not built</h1>
<p>Run <code>npm run docs</code>, then start the service again. The same pages are Markdown in the <code>docs</code> folder.</p>
</body></html>
`

/** Answers requests below `/docs`; `undefined` for others. */
export type ServeDocs = (request: AssetRequest) => Answer | undefined

interface Site {
  readonly assets: Assets
  readonly headers: readonly HeaderField[]
}

/** Serves the built documentation. It has a few megabytes, so the first request loads it, not the start. */
export function createDocsSite(folder: string = BUILT_FOLDER): ServeDocs {
  let site: Site | undefined
  return (request) => {
    if (request.path !== BASE && !request.path.startsWith(`${BASE}/`)) return undefined
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    site ??= loadSite(folder)
    return answerDocs(site, request)
  }
}

function answerDocs({ assets, headers }: Site, request: AssetRequest): Answer {
  const path = request.path.slice(BASE.length)
  if (path === '') return { status: 308, headers: [...headers, ['location', `${BASE}/`]], body: '' }
  const found = assets.get(path.endsWith('/') ? `${path}index.html` : path) ?? assets.get(`${path}.html`)
  if (found) return answerFile(found, request, { headers })
  const missing = assets.get('/404.html')
  if (missing) return answerFile(missing, request, { headers, status: 404 })
  const kind: HeaderField[] = [
    ['content-type', 'text/html; charset=utf-8'],
    ['cache-control', 'no-store'],
  ]
  return { status: 404, headers: [...headers, ...kind], body: request.method === 'HEAD' ? '' : NOT_BUILT }
}

function loadSite(folder: string): Site {
  const assets = loadAssets(folder)
  return { assets, headers: securityHeaders(documentPolicy(assets)) }
}

/** Pages select the colour scheme before rendering with an inline script, which the policy allows by its digest. */
function documentPolicy(assets: Assets): string {
  const pages = [...assets.values()].filter(({ contentType }) => contentType.startsWith('text/html'))
  const scripts = new Set(pages.flatMap(({ plain }) => inlineScripts(plain.toString('utf8'))))
  return [
    "default-src 'none'",
    ["script-src 'self'", ...[...scripts].map(digestSource)].join(' '),
    // Highlighted code has its colours in style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function inlineScripts(html: string): readonly string[] {
  const scripts = [...html.matchAll(/<script(?<attributes>[^>]*)>(?<text>[\s\S]*?)<\/script>/g)]
  return scripts.flatMap(({ groups }) =>
    groups === undefined || groups.attributes?.includes('src=') ? [] : [groups.text ?? ''],
  )
}

function digestSource(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}
