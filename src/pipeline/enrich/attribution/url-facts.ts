import { LRUCache } from 'lru-cache'
import { ByteCache } from '../../encode/byte-cache.ts'
import type { TextSource, TextSpan } from '../../event/event-row.ts'
import { cutText } from '../../event/event-rules.ts'
import { type StockText, stockText } from '../../event/stock-text.ts'
import { siteOf } from './site.ts'
import { findAuthority, findHostEnd, findPlainPathEnd, findQueryEnd, parseUrl, textOf } from './url-bytes.ts'

/** Facts from the host of a URL. */
export interface PageHost {
  readonly hostname: StockText
  /** The site of the host. */
  readonly site: string
}

/** The parts of the URL of an event; offsets are those of the row's source. */
export interface PageUrl {
  readonly host: PageHost
  readonly pathStart: number
  readonly pathLength: number
  /** Its query, in ASCII and not decoded; empty without one. */
  readonly queryStart: number
  readonly queryEnd: number
}

/** Kept beginnings of URLs, each with its host: most events of a project have few hosts. A power of two. */
const AUTHORITIES_MAX = 2048
const KEY_BYTES_MAX = 256 * 1024

const QUESTION_MARK = 0x3f

/**
 * Reads the URLs of events; `undefined` for a text that is not an http(s) URL. Host and path of nearly all URLs are in their bytes
 * as WHATWG URL writes them, and are used where they are. Speed: `task/browser-json-100`.
 */
export class UrlReader {
  readonly #authorities = new ByteCache<PageHost | 'invalid'>(AUTHORITIES_MAX, KEY_BYTES_MAX)
  readonly #hosts: LRUCache<string, PageHost>

  constructor(hostsMax: number) {
    this.#hosts = new LRUCache({ max: hostsMax })
  }

  /** Reads the URL at a place of the source; adds to the source what WHATWG URL writes in another way. */
  read(source: TextSource, { start, length }: TextSpan): PageUrl | undefined {
    const { bytes } = source
    const end = start + length
    const authority = findAuthority(source, start, length)
    const hostEnd = authority === 0 ? -1 : findHostEnd(bytes, authority, end)
    // WHATWG URL skips further slashes before the host.
    const pathEnd = hostEnd <= authority ? -1 : findPlainPathEnd(bytes, hostEnd, end)
    const isQuery = pathEnd >= 0 && pathEnd < end && bytes[pathEnd] === QUESTION_MARK
    const queryEnd = isQuery ? findQueryEnd(bytes, pathEnd + 1, end) : pathEnd
    if (queryEnd < 0) return this.#parse(source, textOf(source, start, end))
    const host = this.#findHost(source, authority, hostEnd)
    if (host === 'invalid') return undefined
    const queryStart = isQuery ? pathEnd + 1 : pathEnd
    const path = pathEnd === hostEnd ? add(source, '/') : { start: hostEnd, length: pathEnd - hostEnd }
    return { host, pathStart: path.start, pathLength: path.length, queryStart, queryEnd }
  }

  #parse(source: TextSource, text: string): PageUrl | undefined {
    const parts = parseUrl(text)
    if (parts === undefined) return undefined
    // Percent-encoding can make the path longer than the limit.
    const path = add(source, cutText(parts.pathname))
    const query = add(source, parts.query)
    return {
      host: this.#hostOf(parts.hostname),
      pathStart: path.start,
      pathLength: path.length,
      queryStart: query.start,
      queryEnd: query.start + query.length,
    }
  }

  #findHost(source: TextSource, start: number, end: number): PageHost | 'invalid' {
    const known = this.#authorities.find(source.view, start, end - start)
    if (known !== undefined) return known
    const hostname = parseUrl(`https://${textOf(source, start, end)}/`)?.hostname
    const host = hostname === undefined ? 'invalid' : this.#hostOf(hostname)
    this.#authorities.add(source, start, end - start, host)
    return host
  }

  /** The same object for the same host, whose text is then written for many rows at once. */
  #hostOf(hostname: string): PageHost {
    const known = this.#hosts.get(hostname)
    if (known !== undefined) return known
    const host = { hostname: stockText(hostname), site: siteOf(hostname) }
    this.#hosts.set(hostname, host)
    return host
  }
}

function add(source: TextSource, text: string): TextSpan {
  const start = source.tail
  return { start, length: source.add(text) }
}
