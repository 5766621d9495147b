import type { DescEnum, DescEnumValue, DescField, DescMessage } from '@bufbuild/protobuf'
import { protoCamelCase } from '@bufbuild/protobuf/reflect'
import { COMMENTS } from '../../../contract/gen/comments.js'

/** The words of comments that are names of fields, in the form that JSON has. */
const JSON_NAMES: ReadonlyMap<string, string> = new Map(
  Object.keys(COMMENTS).flatMap((fullName): [string, string][] => {
    const name = fullName.slice(fullName.lastIndexOf('.') + 1)
    return /^[a-z]+(_[a-z]+)+$/.test(name) ? [[name, protoCamelCase(name)]] : []
  }),
)

/**
 * What is shorter in a list of tools, which costs its reader room, than the comments of all values; each has what no name
 * tells.
 */
export const IN_SHORT = {
  'common.v1.FilterOperator':
    'Text is compared with case. NOT_EQUALS, NOT_CONTAINS and NOT_IN match a missing property too. LTE, GTE, LT, GT and BETWEEN (both bounds included) compare numbers, and texts that are plain decimals. The empty text is not set.',
  'common.v1.LogicalOperator': '',
  'common.v1.PropertySource':
    'By default auto for a name with `$`, else custom. PROFILE: current trait of the user, set through Identify.',
  'common.v1.PropertyValueType': 'OTHER: a trait that is null, an object or an array.',
  'shared.insights.v1.AggregationType':
    'TOTAL: events. UNIQUE_USERS: exact. PER_USER_AVG: events divided by users. SUM, AVG, MIN and MAX: of a numeric property; values that are no number are skipped.',
  'shared.insights.v1.Granularity':
    'Longest range: MINUTE 6 hours, HOUR 14 days, DAY 365 days, WEEK (from Monday) 1461 days, MONTH 3652 days.',
  'shared.insights.v1.SessionMetric':
    'SESSIONS: number that start in the range. AVG_DURATION: mean seconds from the first to the last event. BOUNCE_RATE: percentage with exactly one event. ENTRY, EXIT: number by the breakdown value of their first or last event; trends with one breakdown. AVG_EVENTS_PER_SESSION: mean number.',
  'shared.insights.v1.UserFlowQuery.GroupBy': '',
} as const satisfies Readonly<Record<string, string>>

/** The comment of a message; `undefined` for one of other files. What its rules demand, its fields tell as well. */
export function describeMessage(type: DescMessage): string | undefined {
  return commentOf(type.typeName)
}

/** The comment of a field; that it is required is told by a keyword. */
export function describeField(field: DescField): string | undefined {
  return (
    commentOf(`${field.parent.typeName}.${field.name}`)
      ?.replace(/(^| )Required\.(?= |$)/, '')
      .trim() || undefined
  )
}

/** What the values of an enum that are offered are, by their names without the common prefix. */
export function describeEnum(type: DescEnum, values: readonly DescEnumValue[]): string | undefined {
  if (Object.hasOwn(IN_SHORT, type.typeName))
    return IN_SHORT[type.typeName as keyof typeof IN_SHORT] || undefined
  // Its first sentence repeats what the field tells, as does the zero that stands for a default.
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
