/** What a property of a well-known event may hold; see {@link RULE_TYPES} for the values that are taken as each. */
export type RuleType = 'string' | 'int32' | 'int64' | 'double' | 'bool' | 'duration'

/** The rule of one property of a well-known event. Bounds of a duration are seconds. */
export interface PropertyRule {
  readonly type: RuleType
  /** The event must carry the property, and an empty text is no value. */
  readonly required?: true
  /** The value must be greater than this. */
  readonly gt?: number
  /** The value must be at least this. */
  readonly gte?: number
  /** The value must be at most this. */
  readonly lte?: number
  /** The text must match this regular expression. */
  readonly pattern?: string
}

/** The properties of one kind by their snake_case names. */
export type EventRules = Readonly<Record<string, PropertyRule>>

/** The kinds of one family. */
export type EventFamily = Readonly<Record<string, EventRules>>

/** Each type in words: what a value of it is, and how a client sends it. */
export const RULE_TYPES = {
  string: { is: 'a text', sentAs: '`stringValue`' },
  int32: { is: 'a whole number of 32 bits', sentAs: '`intValue`' },
  int64: { is: 'a whole number of 64 bits', sentAs: '`intValue`' },
  double: { is: 'a number', sentAs: '`doubleValue`, or `intValue` for a whole number' },
  bool: { is: 'true or false', sentAs: '`boolValue`' },
  duration: {
    is: 'a duration',
    sentAs: '`stringValue` of seconds with an `s` suffix (`"12.5s"`), or a number of seconds',
  },
} as const satisfies Record<RuleType, { readonly is: string; readonly sentAs: string }>
