import { PROMOTED_INDEX } from '../../../contract/promoted-properties.ts'
import { ByteCache } from '../../encode/byte-cache.ts'
import type { EditableRow } from '../../event/event-row.ts'
import { type Medium, readMedium } from './medium.ts'
import { QueryReader } from './query-parameters.ts'
import { kindOfSource } from './source-kind.ts'
import { CLICK_IDS, type SourceKind } from './source-tables.ts'
import { textOf } from './url-bytes.ts'
import type { PageUrl } from './url-facts.ts'

/** Campaign parameters, and the properties that they become. */
const UTM = [
  ['utm_source', PROMOTED_INDEX.$utmSource],
  ['utm_medium', PROMOTED_INDEX.$utmMedium],
  ['utm_campaign', PROMOTED_INDEX.$utmCampaign],
  ['utm_term', PROMOTED_INDEX.$utmTerm],
  ['utm_content', PROMOTED_INDEX.$utmContent],
] as const
const UTM_INDEXES: readonly number[] = UTM.map(([, index]) => index)

/** Medium and kind of an ad's network. */
export interface ClickFacts {
  readonly medium: Medium
  readonly kind: SourceKind | undefined
}

const CLICKS: readonly ClickFacts[] = Object.values(CLICK_IDS).map((network) =>
  network === 'display'
    ? { medium: { isPaid: true, form: 'display' }, kind: undefined }
    : { medium: { isPaid: true }, kind: network },
)

/** What the source of a campaign means. */
export interface SourceFacts {
  readonly isBlank: boolean
  readonly kind: SourceKind | undefined
}

/** What the medium of a campaign means. */
export interface MediumFacts {
  readonly isBlank: boolean
  readonly medium: Medium
}

const NO_SOURCE: SourceFacts = readSource('')
const NO_MEDIUM: MediumFacts = readMediumFacts('')

/** Kept sources and mediums, powers of two: a site has few campaigns at a time. */
const SOURCES_MAX = 512
const MEDIUMS_MAX = 256
const KEY_BYTES_MAX = 64 * 1024

/** Reads campaigns, and keeps what their sources and mediums mean. Speed: `task/browser-json-100`. */
export class CampaignReader {
  readonly #query = new QueryReader([...UTM.map(([name]) => name), ...Object.keys(CLICK_IDS)])
  readonly #sources = new ByteCache<SourceFacts>(SOURCES_MAX, KEY_BYTES_MAX)
  readonly #mediums = new ByteCache<MediumFacts>(MEDIUMS_MAX, KEY_BYTES_MAX)

  /** Sets the campaign properties that the client did not send; returns the facts of the click id of an ad, if there is one. */
  apply(row: EditableRow, { queryStart, queryEnd }: PageUrl): ClickFacts | undefined {
    if (queryStart === queryEnd || !this.#query.read(row.source, queryStart, queryEnd)) return undefined
    const { starts, lengths } = this.#query
    for (let at = 0; at < UTM_INDEXES.length; at++) {
      const [index = 0, length = 0] = [UTM_INDEXES[at], lengths[at]]
      if (length > 0 && row.isUnset(index)) row.setPromotedSpan(index, starts[at] ?? 0, length)
    }
    for (let at = 0; at < CLICKS.length; at++) {
      if ((lengths[UTM_INDEXES.length + at] ?? 0) > 0) return CLICKS[at]
    }
    return undefined
  }

  /** The source of an event's campaign. */
  source(row: EditableRow): SourceFacts {
    return readCached(row, PROMOTED_INDEX.$utmSource, this.#sources, readSource) ?? NO_SOURCE
  }

  /** The medium of an event's campaign. */
  medium(row: EditableRow): MediumFacts {
    return readCached(row, PROMOTED_INDEX.$utmMedium, this.#mediums, readMediumFacts) ?? NO_MEDIUM
  }
}

/** Whether the name of an event's campaign is missing or blank. */
export function isCampaignBlank(row: EditableRow): boolean {
  const span = row.promotedSpan(PROMOTED_INDEX.$utmCampaign)
  return span === undefined || textOf(row.source, span.start, span.start + span.length).trim() === ''
}

function readCached<Facts>(
  row: EditableRow,
  index: number,
  cache: ByteCache<Facts>,
  read: (text: string) => Facts,
): Facts | undefined {
  const span = row.promotedSpan(index)
  if (span === undefined) return undefined
  const { source } = row
  const { start, length } = span
  const known = cache.find(source.view, start, length)
  if (known !== undefined) return known
  const facts = read(
    textOf(source, start, start + length)
      .trim()
      .toLowerCase(),
  )
  cache.add(source, start, length, facts)
  return facts
}

function readSource(source: string): SourceFacts {
  return { isBlank: source === '', kind: kindOfSource(source) }
}

function readMediumFacts(medium: string): MediumFacts {
  return { isBlank: medium === '', medium: readMedium(medium) }
}
