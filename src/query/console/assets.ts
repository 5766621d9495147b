import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** A built file in every coding that the build created. */
export interface Asset {
  readonly contentType: string
  /** True when the name of the file changes with its content. */
  readonly isImmutable: boolean
  readonly etag: string
  readonly plain: Buffer
  readonly gzip?: Buffer
  readonly br?: Buffer
}

/** Built files by the path that they are served at. */
export type Assets = ReadonlyMap<string, Asset>

/** The page of the console, which serves every path. */
export const INDEX_PATH = '/index.html'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
}

/** The build's folder of files whose names contain a digest of their content. */
const IMMUTABLE_FOLDER = '/assets/'

/** Reads a built site into memory; empty when it was not built. */
export function loadAssets(folder: string): Assets {
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map((file) => join(file.parentPath, file.name))
  return new Map(
    paths.flatMap((path): [string, Asset][] => {
      const contentType = CONTENT_TYPES[path.slice(path.lastIndexOf('.') + 1)]
      if (contentType === undefined) return []
      const served = `/${relative(folder, path).split(sep).join('/')}`
      return [[served, loadAsset(path, { contentType, isImmutable: served.startsWith(IMMUTABLE_FOLDER) })]]
    }),
  )
}

/** Creates a JSON file that is not part of the build. */
export function jsonAsset(value: unknown): Asset {
  const plain = Buffer.from(JSON.stringify(value))
  return { contentType: 'application/json', isImmutable: false, etag: etagOf(plain), plain }
}

function etagOf(plain: Buffer): string {
  return `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
}

function loadAsset(path: string, kind: Pick<Asset, 'contentType' | 'isImmutable'>): Asset {
  const plain = readFileSync(path)
  return {
    ...kind,
    etag: etagOf(plain),
    plain,
    ...(existsSync(`${path}.gz`) && { gzip: readFileSync(`${path}.gz`) }),
    ...(existsSync(`${path}.br`) && { br: readFileSync(`${path}.br`) }),
  }
}
