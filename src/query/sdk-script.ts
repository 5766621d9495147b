import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type {
  UniversalHandlerFn,
  UniversalServerRequest,
  UniversalServerResponse,
} from '@connectrpc/connect/protocol'
import { INSTALLATION } from '../kernel/installation.ts'
import { streamBytes } from '../rpc/connect-adapter/byte-stream.ts'
import { chooseFileCoding, type FileCoding, hasFile } from './http/file-negotiation.ts'

/** The browser snippet, and the modules of it that pages load when they ask for them. `npm ci` builds the files. */
const FILES = [
  'sdk.js',
  'sdk-errors.js',
  'sdk-file-downloads.js',
  'sdk-form-submits.js',
  'sdk-outbound-links.js',
  'sdk-scroll-depth.js',
  'sdk-web-vitals.js',
]
const FOLDER = join(INSTALLATION, 'sdk/browser/dist')

/** A release reaches every page within an hour, and pages never wait for it. */
const CACHE_CONTROL = 'public, max-age=3600, stale-while-revalidate=86400'

/** The handlers of the browser snippet and of its modules, by their paths. */
export function createSdkScripts(
  folder: string = FOLDER,
): readonly (readonly [string, UniversalHandlerFn])[] {
  return FILES.map((name) => [`/${name}`, createSdkScript(join(folder, name))])
}

/** Serves a script to pages of any origin. The first request reads the file. */
function createSdkScript(file: string): UniversalHandlerFn {
  let script: SdkScript | undefined
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return { status: 405, header: new Headers({ allow: 'GET, HEAD' }) }
    }
    script ??= readScript(file)
    return script ? answer(request, script) : { status: 404, header: new Headers() }
  }
}

interface SdkScript {
  readonly etag: string
  readonly bodies: Readonly<Record<FileCoding | 'identity', Uint8Array>>
}

/** `undefined` when it is not built, as in a checkout installed without scripts. */
function readScript(file: string): SdkScript | undefined {
  if (!existsSync(file)) return undefined
  const text = readFileSync(file)
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  const bodies = { identity: text, gzip: gzipSync(text, { level: 9 }), br: brotliCompressSync(text) }
  // Weak: the codings share it.
  return { etag: `W/"${digest}"`, bodies }
}

function answer(request: UniversalServerRequest, { etag, bodies }: SdkScript): UniversalServerResponse {
  const header = new Headers({
    etag,
    'cache-control': CACHE_CONTROL,
    vary: 'accept-encoding',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  })
  if (hasFile(request.header.get('if-none-match') ?? '', etag)) return { status: 304, header }
  const coding = chooseFileCoding(request.header.get('accept-encoding') ?? '', () => true) ?? 'identity'
  const body = bodies[coding]
  header.set('content-type', 'text/javascript; charset=utf-8')
  header.set('content-length', String(body.length))
  if (coding !== 'identity') header.set('content-encoding', coding)
  return request.method === 'HEAD'
    ? { status: 200, header }
    : { status: 200, header, body: streamBytes(body) }
}
