import { AggregationType } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import { invalidSpec } from './insight-context.ts'
import { type EventProperty, resolveProperty } from './property.ts'

/** How events are aggregated into a number. */
export type Metric =
  | { readonly kind: 'total' | 'unique_users' | 'per_user_avg' }
  | { readonly kind: 'sum' | 'avg' | 'min' | 'max'; readonly property: EventProperty }

type MetricKind = Metric['kind']

const KINDS = {
  [AggregationType.UNSPECIFIED]: 'total',
  [AggregationType.TOTAL]: 'total',
  [AggregationType.UNIQUE_USERS]: 'unique_users',
  [AggregationType.PER_USER_AVG]: 'per_user_avg',
  [AggregationType.SUM]: 'sum',
  [AggregationType.AVG]: 'avg',
  [AggregationType.MIN]: 'min',
  [AggregationType.MAX]: 'max',
} as const satisfies Record<AggregationType, MetricKind>

const PROPERTY_NAME = /^[$]?[a-zA-Z0-9_-]+([.][a-zA-Z0-9_-]+)*$/

/**
 * Parses an aggregation with its property, which counting aggregations ignore. `field` is the property's path, for
 * errors.
 */
export function parseMetric(input: {
  readonly type: AggregationType
  readonly property: string
  readonly field: string
}): Metric {
  const kind = KINDS[input.type]
  if (kind === undefined) throw invalidSpec(input.field, 'belongs to an unknown aggregation')
  if (kind === 'total' || kind === 'unique_users' || kind === 'per_user_avg') return { kind }
  return { kind, property: parseEventProperty(input.property, input.field) }
}

/** Parses the name of an event property. */
export function parseEventProperty(name: string, field: string): EventProperty {
  if (name === '') throw invalidSpec(field, 'is required')
  if (!PROPERTY_NAME.test(name)) throw invalidSpec(field, 'is no property name')
  const property = resolveProperty(name)
  if (property.home === 'trait') throw invalidSpec(field, 'is no property of events')
  return property
}

/** Whether the metric counts users, and so excludes cookieless visitors unless the query includes them. */
export function countsUsers({ kind }: Metric): boolean {
  return kind === 'unique_users' || kind === 'per_user_avg'
}
