import { LRUCache } from 'lru-cache'
import { type Channel, channelOf } from './channel.ts'
import { scanUrl } from './scan-url.ts'
import { siteOf } from './site.ts'
import { kindOfHost } from './source-kind.ts'
import type { SourceKind } from './source-tables.ts'

/** Facts about the host of a referrer. */
export interface ReferrerFacts {
  readonly hostname: string
  readonly site: string
  readonly kind: SourceKind | undefined
  /** The channel of visits from this host without a campaign. */
  readonly channel: Channel
  /** Whether the host sends referrer spam. */
  readonly isSpam: boolean
}

/** Referrer from an Android app, with its package name. */
const ANDROID_APP = /^android-app:\/\/([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)+)(?:\/|$)/

/** The host of a referrer; `undefined` when it is neither an http(s) URL nor an app. */
export function referrerHost(text: string): string | undefined {
  if (text.startsWith('android-app:')) return ANDROID_APP.exec(text)?.[1]?.toLowerCase()
  return scanUrl(text)?.hostname
}

/** Creates a cached look-up of hosts: few hosts refer most visitors. */
export function createReferrerReader(
  hostsMax: number,
  isSpammer: (hostname: string) => boolean = () => false,
): (hostname: string) => ReferrerFacts {
  const cache = new LRUCache<string, ReferrerFacts>({ max: hostsMax })
  return (hostname) => {
    const cached = cache.get(hostname)
    if (cached !== undefined) return cached
    const facts = { ...readReferrer(hostname), isSpam: isSpammer(hostname) }
    cache.set(hostname, facts)
    return facts
  }
}

function readReferrer(hostname: string): Omit<ReferrerFacts, 'isSpam'> {
  const kind = kindOfHost(hostname)
  const channel = channelOf({ medium: undefined, kind, isReferred: true, isTagged: false })
  return { hostname, site: siteOf(hostname), kind, channel }
}
