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
  readonly gzip?: Buffer | undefined
  readonly br?: Buffer | undefined
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

/**
 * The files of a built site; empty when it was not built. Each is read into memory when it is first served: a browser needs a
 * tenth of them.
 */
export function loadAssets(folder: string): Assets {
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = new Set(files.map((file) => join(file.parentPath, file.name)))
  return new Map(
    [...paths].flatMap((path): [string, Asset][] => {
      const contentType = CONTENT_TYPES[path.slice(path.lastIndexOf('.') + 1)]
      if (contentType === undefined) return []
      const served = `/${relative(folder, path).split(sep).join('/')}`
      return [[served, new BuiltFile(path, { contentType, served, paths })]]
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

/** A file of a build with its compressed forms, which are files beside it. */
class BuiltFile implements Asset {
  readonly contentType: string
  readonly isImmutable: boolean
  readonly #path: string
  readonly #paths: ReadonlySet<string>
  readonly #bodies = new Map<string, Buffer>()
  #etag: string | undefined

  constructor(
    path: string,
    facts: { readonly contentType: string; readonly served: string; readonly paths: ReadonlySet<string> },
  ) {
    this.contentType = facts.contentType
    this.isImmutable = facts.served.startsWith(IMMUTABLE_FOLDER)
    this.#path = path
    this.#paths = facts.paths
  }

  get etag(): string {
    this.#etag ??= etagOf(this.plain)
    return this.#etag
  }

  get plain(): Buffer {
    return this.#read(this.#path)
  }

  get gzip(): Buffer | undefined {
    return this.#find('.gz')
  }

  get br(): Buffer | undefined {
    return this.#find('.br')
  }

  #find(extension: string): Buffer | undefined {
    const path = this.#path + extension
    return this.#paths.has(path) ? this.#read(path) : undefined
  }

  #read(path: string): Buffer {
    const body = this.#bodies.get(path) ?? readFileSync(path)
    this.#bodies.set(path, body)
    return body
  }
}
