import type { DescEnum, DescEnumValue, DescField, DescMessage } from '@bufbuild/protobuf'
import { protoCamelCase } from '@bufbuild/protobuf/reflect'
import { COMMENTS } from '../../../contract/gen/comments.js'

/** JSON names of the fields that comments mention. */
const JSON_NAMES: ReadonlyMap<string, string> = new Map(
  Object.keys(COMMENTS).flatMap((fullName): [string, string][] => {
    const name = fullName.slice(fullName.lastIndexOf('.') + 1)
    return /^[a-z]+(_[a-z]+)+$/.test(name) ? [[name, protoCamelCase(name)]] : []
  }),
)

/**
 * Descriptions of enums that replace the comments of their values, to save tokens: they cover only what the names do not.
 */
export const SHORT_DESCRIPTIONS = {
  'common.v1.FilterOperator':
    'Text comparisons are case-sensitive. NOT_EQUALS, NOT_CONTAINS and NOT_IN also match a missing property. LTE, GTE, LT, GT and BETWEEN (inclusive) compare numbers and decimal strings. An empty string counts as not set.',
  'common.v1.LogicalOperator': '',
  'common.v1.PropertySource':
    'Defaults to auto for a name with `$`, else custom. PROFILE: current trait of the user, set through Identify.',
  'common.v1.PropertyValueType': 'OTHER: a trait that is null, an object or an array.',
  'shared.insights.v1.AggregationType':
    'TOTAL: events. UNIQUE_USERS: exact. PER_USER_AVG: events divided by users. SUM, AVG, MIN and MAX: of a numeric property; other values are skipped.',
  'shared.insights.v1.Granularity':
    'Longest range: MINUTE 6 hours, HOUR 14 days, DAY 365 days, WEEK (from Monday) 1461 days, MONTH 3652 days.',
  'shared.insights.v1.SessionMetric':
    'SESSIONS: number of sessions that start in the range. AVG_DURATION: mean seconds from the first to the last event. BOUNCE_RATE: percentage with exactly one event. ENTRY, EXIT: number of sessions by the breakdown value of their first or last event; trends with one breakdown only. AVG_EVENTS_PER_SESSION: mean number.',
  'shared.insights.v1.UserFlowQuery.GroupBy': '',
} as const satisfies Readonly<Record<string, string>>

/** The comment of a message, if it has one. */
export function describeMessage(type: DescMessage): string | undefined {
  return commentOf(type.typeName)
}

/** The comment of a field without the word Required, which a keyword expresses. */
export function describeField(field: DescField): string | undefined {
  return (
    commentOf(`${field.parent.typeName}.${field.name}`)
      ?.replace(/(^| )Required\.(?= |$)/, '')
      .trim() || undefined
  )
}

/** Describes the offered values of an enum, by their names without the common prefix. */
export function describeEnum(type: DescEnum, values: readonly DescEnumValue[]): string | undefined {
  if (Object.hasOwn(SHORT_DESCRIPTIONS, type.typeName))
    return SHORT_DESCRIPTIONS[type.typeName as keyof typeof SHORT_DESCRIPTIONS] || undefined
  // The first sentence, and the zero value that stands for a default, repeat the field's comment.
  const comment = commentOf(type.typeName)?.replace(/^[^.]*[.]\s*/, '')
  const described = values.flatMap(({ name, localName, number }) => {
    const ofValue = number === 0 ? undefined : commentOf(`${type.typeName}.${name}`)
    return ofValue === undefined ? [] : [`${localName}: ${ofValue}`]
  })
  return [comment, ...described].filter(Boolean).join(' ') || undefined
}

function commentOf(fullName: string): string | undefined {
  const comment = COMMENTS[fullName]
  return comment === undefined ? undefined : inJsonNames(comment)
}

function inJsonNames(text: string): string {
  return text.replace(/\b[a-z]+(_[a-z]+)+\b/g, (word) => JSON_NAMES.get(word) ?? word)
}
