import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { ErrorReason } from '../../contract/service-error.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import type { MergedKinds } from '../../domain/insights/merged-kinds.ts'
import {
  isPropertyName,
  type Property,
  resolveProperty,
  sourceViolation,
} from '../../domain/insights/property.ts'
import { FIRST_KEYS, historyOf, type RowScope, valueAtFirst } from '../attribution/first-events.ts'
import { eventPropertyText } from '../property/event-property.ts'
import { traitTexts } from '../property/trait.ts'
import { bigintCodec, stringCodec } from '../sql/codec.ts'
import { ALL_TIME, scopedEvents } from '../sql/events-table.ts'
import { type CompiledQuery, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'

/** The property whose values to list, as in the requests of both services. */
export interface PropertyValuesRequest {
  readonly propertyKey: string
  readonly source: PropertySource
  /** Empty means every kind; a trait has none. */
  readonly eventKind: string
  /** A text that the values contain, without regard to case; empty for every value. */
  readonly search: string
}

/** Values with the number of events, or profiles for a trait, that have each. */
export interface PropertyValues {
  readonly values: string[]
  readonly counts: bigint[]
}

const VALUE_COLUMNS = {
  value: column(stringCodec, sql`toString(text)`),
  count: column(bigintCodec, sql`toInt64(count())`),
}

/** One call of `GetPropertyValues`. */
export interface PropertyValuesCall {
  readonly request: PropertyValuesRequest
  readonly projectId: ProjectId
  /** The kinds that count as others. */
  readonly mergedKinds?: MergedKinds
  /** The error reason for an invalid request to the service in use. */
  readonly reason: ErrorReason
  readonly run: QueryRunner
}

/** The values of a property over all time, most frequent first, at most 100. Throws `invalid_argument`. */
export async function listPropertyValues(call: PropertyValuesCall): Promise<PropertyValues> {
  const property = parseProperty(call.request, call.reason)
  const rows = await call.run(compileValues(property, call))
  return { values: rows.map(({ value }) => value), counts: rows.map(({ count }) => count) }
}

function parseProperty({ propertyKey, source }: PropertyValuesRequest, reason: ErrorReason): Property {
  if (propertyKey === '') throw invalid('propertyKey', 'is required', reason)
  if (!isPropertyName(propertyKey)) throw invalid('propertyKey', 'is not a property name', reason)
  if (source === PropertySource.UNSPECIFIED || PropertySource[source] === undefined)
    throw invalid('source', 'is required', reason)
  const violation = sourceViolation(propertyKey, source)
  if (violation) throw invalid('propertyKey', violation, reason)
  return resolveProperty(propertyKey, source)
}

function compileValues(
  property: Property,
  { projectId, mergedKinds, request: { eventKind, search } }: PropertyValuesCall,
): CompiledQuery<Row<typeof VALUE_COLUMNS>> {
  const kinds = eventKind === '' ? undefined : [eventKind, ...(mergedKinds?.get(eventKind) ?? [])]
  const texts = textsOf(property, { projectId, range: ALL_TIME, kinds })
  // Both sides in lower case of one sort: that of the engine.
  const found =
    search === '' ? sql`` : sql` AND position(lowerUTF8(text), lowerUTF8(${param(stringCodec, search)})) > 0`
  return select(
    VALUE_COLUMNS,
    sql`FROM (${texts}) WHERE text != ''${found} GROUP BY text ORDER BY count() DESC, text LIMIT 100`,
  )
}

/** `SELECT text`: one row for each event, user, or session with the value. */
function textsOf(property: Property, rows: RowScope): Sql {
  switch (property.home) {
    case 'trait':
      return traitTexts(property, rows.projectId)
    case 'first': {
      const text = valueAtFirst(eventPropertyText(property.property))
      return sql`SELECT ${text} AS text ${historyOf(property.of, rows)} GROUP BY ${FIRST_KEYS[property.of]}`
    }
    default: {
      const { projectId, range, kinds } = rows
      return sql`SELECT ${eventPropertyText(property)} AS text ${scopedEvents({ projectId, ...range, kinds })}`
    }
  }
}
