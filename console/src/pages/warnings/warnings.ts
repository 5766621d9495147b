import { type IngestionWarning, WarningEffect } from '@contract/millrace/ingest/v1/warnings_service_pb.js'
import { isWarningReason, WARNING_DIALECTS, type WarningReason } from '@domain/ingestion-warnings.ts'
import type { NameKey } from '../../i18n/translate.ts'
import './messages.ts'

/** A message of a reason: its title, and what happened and what to do. */
type ReasonName = {
  [Key in NameKey]: Key extends `warnings.${infer Name}.title` ? Name : never
}[NameKey]

const REASON_NAMES = {
  not_an_object: 'notAnObject',
  no_name: 'noName',
  no_distinct_id: 'noId',
  invalid_distinct_id: 'invalidId',
  other_key: 'otherKey',
  no_visitor: 'unknownVisitor',
  schema_violation: 'schema',
  groups_not_supported: 'groups',
  recordings_not_supported: 'recordings',
  engagement_not_supported: 'engagement',
  unknown_type: 'unknownType',
  blocked_kind: 'blocked',
  day_out_of_range: 'otherDay',
  salt_unavailable: 'salt',
  salt_corrupt: 'salt',
  text_cut: 'textCut',
  characters_replaced: 'charactersReplaced',
  property_left_out: 'propertyLeftOut',
  time_replaced: 'timeReplaced',
  clock_skewed: 'clock',
  trait_left_out: 'traitLeftOut',
  operation_not_supported: 'operation',
  invalid_event_batch: 'invalidEvent',
  invalid_request: 'unreadable',
  cookieless_identity_unavailable: 'unknownVisitor',
  body_too_large: 'tooLarge',
  unsupported_encoding: 'compression',
  rate_limited: 'rate',
  api_key_expired: 'keyExpired',
  address_not_allowed: 'otherAddress',
  overloaded: 'unavailable',
  deadline_exceeded: 'unavailable',
  store_unavailable: 'unavailable',
  internal: 'unavailable',
} as const satisfies Record<WarningReason, ReasonName>

function nameOf(reason: string): ReasonName {
  return isWarningReason(reason) ? REASON_NAMES[reason] : 'other'
}

/** The title of a reason. */
export function titleOf(reason: string): NameKey {
  return `warnings.${nameOf(reason)}.title`
}

/** What happened, and what to do. */
export function textOf(reason: string): NameKey {
  return `warnings.${nameOf(reason)}.text`
}

/** The names of the interfaces, which are the same in every language. */
const SOURCE_NAMES = {
  millrace: 'Millrace',
  posthog: 'PostHog',
  segment: 'Segment, RudderStack',
  mixpanel: 'Mixpanel',
  amplitude: 'Amplitude',
  plausible: 'Plausible',
  umami: 'Umami',
  openpanel: 'OpenPanel',
  ga4: 'GA4',
} as const satisfies Record<(typeof WARNING_DIALECTS)[number], string>

/** The interfaces, as choices of a filter. */
export const SOURCES = WARNING_DIALECTS.map((value) => ({ value, label: SOURCE_NAMES[value] }))

/** The name of an interface. */
export function sourceOf(dialect: string): string {
  return SOURCES.find(({ value }) => value === dialect)?.label ?? dialect
}

/** What became of the data, as choices of a filter and with the tones of badges. */
export const EFFECTS = [
  { value: 'dropped', effect: WarningEffect.DROPPED, label: 'warnings.dropped', tone: 'bad' },
  { value: 'changed', effect: WarningEffect.CHANGED, label: 'warnings.changed', tone: 'warn' },
  { value: 'rejected', effect: WarningEffect.REJECTED, label: 'warnings.rejected', tone: 'bad' },
] as const satisfies readonly {
  readonly value: string
  readonly effect: WarningEffect
  readonly label: NameKey
  readonly tone: 'bad' | 'warn'
}[]

/** The library of a warning with its version; empty when it is unknown. */
export function libraryOf({ sdk, sdkVersion }: Pick<IngestionWarning, 'sdk' | 'sdkVersion'>): string {
  return sdkVersion === '' ? sdk : `${sdk} ${sdkVersion}`
}

/** The address part of a warning: what tells it from the others. */
export function keyOf({ dialect, reason, sdk, sdkVersion }: IngestionWarning): string {
  return [dialect, reason, sdk, sdkVersion].join(' ')
}

/** A line of a sample. */
export interface SampleLine {
  readonly text: string
  /** Whether it is a part that is the reason. */
  readonly isMarked: boolean
}

/** The lines of indented JSON, with those at the paths marked. */
export function markLines(json: string, paths: readonly string[]): readonly SampleLine[] {
  const names: string[] = []
  return json.split('\n').map((text) => {
    const [, indent = '', quoted] = /^( *)("(?:[^"\\]|\\.)*"): /.exec(text) ?? []
    if (quoted === undefined) return { text, isMarked: false }
    const depth = indent.length / 2 - 1
    names.splice(depth, names.length, JSON.parse(quoted) as string)
    return { text, isMarked: paths.includes(names.join('.')) }
  })
}
