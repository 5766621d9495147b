import { Dimension } from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { PROMOTED_PROPERTIES, type PromotedProperty } from '../../contract/promoted-properties.ts'
import { unreachable } from '../../kernel/assert.ts'
import { eventPropertyText } from '../property/event-property.ts'
import { EVENT_ORDER } from '../sql/event-order.ts'
import { type Sql, sql } from '../sql/sql.ts'

/** The dimensions that a request may name. */
export type KnownDimension = Exclude<Dimension, Dimension.UNSPECIFIED>

/** A dimension whose value belongs to the visit as a whole: that of one of its events. */
export interface VisitAttribute {
  readonly of: 'first event' | 'first page view' | 'last page view'
  readonly property: PromotedProperty
}

/** A dimension whose values are those of the events of a visit. */
export interface EventAttribute {
  readonly of: 'events'
  /** A property, or the kind of the event. */
  readonly property: PromotedProperty | 'kind'
  /** The events that make rows of a table. */
  readonly rows: 'page views' | 'all events'
}

/** The meaning of a dimension. */
export type DimensionRule = VisitAttribute | EventAttribute | { readonly of: 'goals' }

const firstEvent = (property: PromotedProperty): VisitAttribute => ({ of: 'first event', property })

/** Every dimension. */
export const DIMENSIONS = {
  [Dimension.PAGE]: { of: 'events', property: '$pathname', rows: 'page views' },
  [Dimension.ENTRY_PAGE]: { of: 'first page view', property: '$pathname' },
  [Dimension.EXIT_PAGE]: { of: 'last page view', property: '$pathname' },
  [Dimension.HOSTNAME]: { of: 'events', property: '$hostname', rows: 'all events' },
  [Dimension.CHANNEL]: firstEvent('$channel'),
  [Dimension.REFERRER]: firstEvent('$referrerDomain'),
  [Dimension.UTM_SOURCE]: firstEvent('$utmSource'),
  [Dimension.UTM_MEDIUM]: firstEvent('$utmMedium'),
  [Dimension.UTM_CAMPAIGN]: firstEvent('$utmCampaign'),
  [Dimension.UTM_TERM]: firstEvent('$utmTerm'),
  [Dimension.UTM_CONTENT]: firstEvent('$utmContent'),
  [Dimension.COUNTRY]: firstEvent('$country'),
  [Dimension.REGION]: firstEvent('$region'),
  [Dimension.CITY]: firstEvent('$city'),
  [Dimension.BROWSER]: firstEvent('$browser'),
  [Dimension.OS]: firstEvent('$os'),
  [Dimension.DEVICE_TYPE]: firstEvent('$deviceType'),
  [Dimension.LANGUAGE]: firstEvent('$language'),
  [Dimension.EVENT_KIND]: { of: 'events', property: 'kind', rows: 'all events' },
  [Dimension.GOAL]: { of: 'goals' },
} as const satisfies Record<KnownDimension, DimensionRule>

/** The meaning of a dimension of a request; `undefined` for a number that the contract does not have. */
export function findDimension(dimension: Dimension): DimensionRule | undefined {
  return Object.hasOwn(DIMENSIONS, dimension) ? DIMENSIONS[dimension as KnownDimension] : undefined
}

/** Whether the row's event is a page view. */
export const IS_PAGE_VIEW: Sql = sql`kind = 'page_view'`

/** The value of the row's event. */
export function eventValue({ property }: Pick<EventAttribute, 'property'>): Sql {
  if (property === 'kind') return sql`toString(kind)`
  return columnText(property)
}

/** The value of a visit, as an aggregate of its events; the empty text when it has no such event. */
export function visitValue({ of, property }: VisitAttribute): Sql {
  const value = columnText(property)
  switch (of) {
    case 'first event':
      return sql`argMin(${value}, ${EVENT_ORDER})`
    case 'first page view':
      return sql`argMinIf(${value}, ${EVENT_ORDER}, ${IS_PAGE_VIEW})`
    case 'last page view':
      return sql`argMaxIf(${value}, ${EVENT_ORDER}, ${IS_PAGE_VIEW})`
    default:
      return unreachable(of)
  }
}

/** The text of a promoted property of the row's event. */
export function columnText(property: PromotedProperty): Sql {
  return eventPropertyText({ home: 'column', key: property, column: PROMOTED_PROPERTIES[property] })
}
