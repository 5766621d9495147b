/** What became of the data that a warning counts. */
export type WarningEffect =
  /** The events are not stored. */
  | 'dropped'
  /** The events are stored, with a part that is changed or left out. */
  | 'changed'
  /** Whole requests are refused; the count is one of requests. */
  | 'rejected'

/** Why something was dropped, changed or refused, and which of the three. */
export const WARNING_REASONS = {
  not_an_object: 'dropped',
  no_name: 'dropped',
  no_distinct_id: 'dropped',
  invalid_distinct_id: 'dropped',
  other_key: 'dropped',
  no_visitor: 'dropped',
  schema_violation: 'dropped',
  groups_not_supported: 'dropped',
  recordings_not_supported: 'dropped',
  engagement_not_supported: 'dropped',
  unknown_type: 'dropped',
  blocked_kind: 'dropped',
  day_out_of_range: 'dropped',
  salt_unavailable: 'dropped',
  salt_corrupt: 'dropped',
  text_cut: 'changed',
  characters_replaced: 'changed',
  property_left_out: 'changed',
  time_replaced: 'changed',
  clock_skewed: 'changed',
  trait_left_out: 'changed',
  operation_not_supported: 'changed',
  invalid_event_batch: 'rejected',
  invalid_request: 'rejected',
  cookieless_identity_unavailable: 'rejected',
  body_too_large: 'rejected',
  unsupported_encoding: 'rejected',
  rate_limited: 'rejected',
  api_key_expired: 'rejected',
  address_not_allowed: 'rejected',
  overloaded: 'rejected',
  deadline_exceeded: 'rejected',
  store_unavailable: 'rejected',
  internal: 'rejected',
} as const satisfies Readonly<Record<string, WarningEffect>>

/** The reason of a warning. */
export type WarningReason = keyof typeof WARNING_REASONS

/** Whether a text is the reason of a warning. */
export function isWarningReason(text: string): text is WarningReason {
  return Object.hasOwn(WARNING_REASONS, text)
}

/** The interfaces that take events: Millrace's own, and those of other vendors' SDKs. */
export const WARNING_DIALECTS = [
  'millrace',
  'posthog',
  'segment',
  'mixpanel',
  'amplitude',
  'plausible',
  'umami',
  'openpanel',
  'ga4',
] as const

/** The interface through which something came. */
export type WarningDialect = (typeof WARNING_DIALECTS)[number]

/** Days after which warnings are removed. */
export const WARNING_DAYS = 7

/** Most warnings that a project's list has; of more, those seen last. */
export const WARNINGS_LISTED_MAX = 1000
