import { type StockText, stockText } from '../../event/stock-text.ts'
import type { Medium } from './medium.ts'
import type { SourceKind } from './source-tables.ts'

/** The marketing channel of a visit. */
export type Channel =
  | 'Paid Search'
  | 'Paid Social'
  | 'Paid Video'
  | 'Paid Other'
  | 'Display'
  | 'Organic Search'
  | 'Organic Social'
  | 'Organic Video'
  | 'Email'
  | 'Affiliate'
  | 'Referral'
  | 'Direct'
  | 'Unassigned'

/** The facts that decide the channel of an event. */
export interface Visit {
  /** Medium of the campaign or of an ad's click id; `undefined` without either. */
  readonly medium: Medium | undefined
  /** Kind of the campaign's source, or else of the referrer. */
  readonly kind: SourceKind | undefined
  /** Whether another site sent the visitor. */
  readonly isReferred: boolean
  /** Whether the URL has campaign parameters. */
  readonly isTagged: boolean
}

/** The rules in order, first match wins: paid traffic, then the campaign's medium, then the source. */
const RULES: readonly (readonly [Channel, (visit: Visit) => boolean])[] = [
  ['Paid Search', (visit) => isPaid(visit, 'search')],
  ['Paid Social', (visit) => isPaid(visit, 'social')],
  ['Paid Video', (visit) => isPaid(visit, 'video')],
  ['Display', ({ medium }) => medium?.form === 'display'],
  ['Paid Other', ({ medium }) => medium?.isPaid === true],
  ['Email', ({ medium, kind }) => medium?.form === 'email' || kind === 'email'],
  ['Affiliate', ({ medium }) => medium?.form === 'affiliate'],
  ['Organic Social', ({ medium, kind }) => medium?.form === 'social' || kind === 'social'],
  ['Organic Video', ({ medium, kind }) => medium?.form === 'video' || kind === 'video'],
  ['Organic Search', ({ medium, kind }) => medium?.form === 'organic' || kind === 'search'],
  ['Referral', ({ medium, isReferred }) => medium?.form === 'referral' || (isReferred && isSilent(medium))],
  ['Direct', ({ medium, isTagged, isReferred }) => !isReferred && (!isTagged || medium?.form === 'none')],
  ['Unassigned', () => true],
]

const STOCK: ReadonlyMap<Channel, StockText> = new Map(
  RULES.map(([channel]) => [channel, stockText(channel)]),
)

/** The name of a channel, encoded. */
export function stockChannel(channel: Channel): StockText {
  return STOCK.get(channel) ?? stockText(channel)
}

/** The channel of a visit. */
export function channelOf(visit: Visit): Channel {
  return RULES.find(([, matches]) => matches(visit))?.[0] ?? 'Unassigned'
}

/** Whether a paid visit is of a kind: by the form of its medium, or by its source for banners and unspecific ads. */
function isPaid({ medium, kind }: Visit, wanted: SourceKind): boolean {
  if (medium?.isPaid !== true) return false
  const isNamed = medium.form !== undefined && medium.form !== 'display'
  return (isNamed ? medium.form : kind) === wanted
}

function isSilent(medium: Medium | undefined): boolean {
  return medium === undefined || medium.form === 'none'
}
