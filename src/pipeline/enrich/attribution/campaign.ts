import { LRUCache } from 'lru-cache'
import { type Medium, readMedium } from './medium.ts'
import { kindOfSource } from './source-kind.ts'
import type { SourceKind } from './source-tables.ts'

/** The meaning of a campaign's source and medium. */
export interface NamedCampaign {
  readonly medium: Medium
  readonly kind: SourceKind | undefined
}

/** Kept pairs of source and medium; an entry is mostly below 300 bytes, and below 5 KiB. */
const CAMPAIGNS_MAX = 1024

/** Reads sources and mediums in lower case, and keeps what it read: a site has few campaigns at a time. */
export class CampaignReader {
  readonly #known = new LRUCache<string, NamedCampaign>({ max: CAMPAIGNS_MAX })

  read(source: string, medium: string): NamedCampaign {
    const key = `${source}\0${medium}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const campaign = { medium: readMedium(medium), kind: kindOfSource(source) }
    this.#known.set(key, campaign)
    return campaign
  }
}
