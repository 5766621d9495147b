import { LRUCache } from 'lru-cache'
import { ByteCache } from '../../encode/byte-cache.ts'
import type { TextBytes, TextSpan } from '../../event/event-row.ts'
import { type StockText, stockText } from '../../event/stock-text.ts'
import { channelOf, stockChannel } from './channel.ts'
import { siteOf } from './site.ts'
import { kindOfHost } from './source-kind.ts'
import type { SourceKind } from './source-tables.ts'
import { findAuthority, findHostEnd, parseUrl, textOf } from './url-bytes.ts'

/** Facts about the host of a referrer. */
export interface ReferrerFacts {
  readonly hostname: StockText
  readonly site: string
  readonly kind: SourceKind | undefined
  /** The channel of visits from this host without a campaign. */
  readonly channel: StockText
  /** Whether the host sends referrer spam. */
  readonly isSpam: boolean
}

/** Referrer from an Android app, with its package name. */
const ANDROID_APP = /^android-app:\/\/([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)+)(?:\/|$)/

/** The host of a referrer; `undefined` when it is neither an http(s) URL nor an app. */
function referrerHost(text: string): string | undefined {
  if (text.startsWith('android-app:')) return ANDROID_APP.exec(text)?.[1]?.toLowerCase()
  return parseUrl(text)?.hostname
}

/** Kept beginnings of referrers, each with its host; a power of two. */
const AUTHORITIES_MAX = 2048
const KEY_BYTES_MAX = 256 * 1024

/** Derives facts from referrers: few hosts refer most visitors. Speed: `task/browser-json-100`. */
export class ReferrerReader {
  readonly #authorities = new ByteCache<ReferrerFacts | 'invalid'>(AUTHORITIES_MAX, KEY_BYTES_MAX)
  readonly #hosts: LRUCache<string, ReferrerFacts>
  readonly #isSpammer: (hostname: string) => boolean

  constructor(hostsMax: number, isSpammer: (hostname: string) => boolean = () => false) {
    this.#hosts = new LRUCache({ max: hostsMax })
    this.#isSpammer = isSpammer
  }

  /** Reads the text of a referrer. */
  ofText(text: string): ReferrerFacts | undefined {
    const hostname = referrerHost(text)
    return hostname === undefined ? undefined : this.#ofHost(hostname)
  }

  /** Reads the referrer at a place of the source: the same, and fast. */
  read(source: TextBytes, { start, length }: TextSpan): ReferrerFacts | undefined {
    const authority = findAuthority(source, start, length)
    const end = authority === 0 ? -1 : findHostEnd(source.bytes, authority, start + length)
    // WHATWG URL skips further slashes before the host.
    if (end <= authority) return this.ofText(textOf(source, start, start + length))
    const known = this.#authorities.find(source.view, authority, end - authority)
    if (known !== undefined) return known === 'invalid' ? undefined : known
    const hostname = parseUrl(`https://${textOf(source, authority, end)}/`)?.hostname
    const facts = hostname === undefined ? undefined : this.#ofHost(hostname)
    this.#authorities.add(source, authority, end - authority, facts ?? 'invalid')
    return facts
  }

  #ofHost(hostname: string): ReferrerFacts {
    const cached = this.#hosts.get(hostname)
    if (cached !== undefined) return cached
    const facts = { ...readReferrer(hostname), isSpam: this.#isSpammer(hostname) }
    this.#hosts.set(hostname, facts)
    return facts
  }
}

function readReferrer(hostname: string): Omit<ReferrerFacts, 'isSpam'> {
  const kind = kindOfHost(hostname)
  const channel = channelOf({ medium: undefined, kind, isReferred: true, isTagged: false })
  return { hostname: stockText(hostname), site: siteOf(hostname), kind, channel: stockChannel(channel) }
}
