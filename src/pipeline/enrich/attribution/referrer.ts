import { LRUCache } from 'lru-cache'
import { type Channel, channelOf } from './channel.ts'
import { scanUrl } from './scan-url.ts'
import { siteOf } from './site.ts'
import { kindOfHost } from './source-kind.ts'
import type { SourceKind } from './source-tables.ts'

/** What the host of a referrer says. */
export interface ReferrerFacts {
  readonly hostname: string
  readonly site: string
  readonly kind: SourceKind | undefined
  /** The channel of a visit from there without a campaign. */
  readonly channel: Channel
}

/** Android names the app that a link was tapped in by its package. */
const ANDROID_APP = /^android-app:\/\/([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)+)(?:\/|$)/

/** The host of a referrer; undefined when it is neither an http(s) URL nor an app. */
export function referrerHost(text: string): string | undefined {
  if (text.startsWith('android-app:')) return ANDROID_APP.exec(text)?.[1]?.toLowerCase()
  return scanUrl(text)?.hostname
}

/** Remembers what hosts say: few hosts refer most visitors. */
export function createReferrerReader(hostsMax: number): (hostname: string) => ReferrerFacts {
  const known = new LRUCache<string, ReferrerFacts>({ max: hostsMax })
  return (hostname) => {
    const remembered = known.get(hostname)
    if (remembered !== undefined) return remembered
    const facts = readReferrer(hostname)
    known.set(hostname, facts)
    return facts
  }
}

function readReferrer(hostname: string): ReferrerFacts {
  const kind = kindOfHost(hostname)
  const channel = channelOf({ medium: undefined, kind, isReferred: true, isTagged: false })
  return { hostname, site: siteOf(hostname), kind, channel }
}
