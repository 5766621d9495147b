import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import { ImportedState } from '../../contract/gen/millrace/web/v1/imported_days_pb.js'
import {
  Dimension,
  type QueryOverviewRequest,
  type QueryTableRequest,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { matchValue } from '../filter/operator-sql.ts'
import type { StoredImport } from '../imported/import-store.ts'
import type { ImportedScope } from '../imported/imported-numbers.ts'
import { cutDays, daysThatStartIn, findShownDays } from '../imported/shown-days.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { parseTextCondition, type VisitSelection } from './web-query.ts'

/** The dimension that rows of imported days must have, and a condition on its value. */
interface ImportedFilter {
  readonly dimension: number
  readonly condition?: Sql
}

/** The imported days that a request is about. */
export interface ImportedDaysOf {
  readonly projectId: VisitSelection['projectId']
  readonly imports: readonly StoredImport[]
  readonly timeZone: string
  /** `undefined` when daily numbers cannot be filtered like the request. */
  readonly filter: ImportedFilter | undefined
}

/** The imported days that a request is about; only those of finished imports. */
export function importedDaysOf(
  request: QueryOverviewRequest | QueryTableRequest,
  { projectId, projectTimeZone }: Pick<ProjectContext, 'projectId' | 'projectTimeZone'>,
  imports: readonly StoredImport[],
): ImportedDaysOf {
  const timeZone = request.timezone || projectTimeZone
  return { projectId, imports, timeZone, filter: findImportedFilter(request) }
}

/** Whole days. */
const NO_FILTER: ImportedFilter = { dimension: Dimension.UNSPECIFIED }

/** Dimensions of events: a visit has several of their values, so that only the numbers of one value are those of the filter. */
const OF_EVENTS: ReadonlySet<Dimension> = new Set([Dimension.PAGE, Dimension.EVENT_KIND])

type Filters = Pick<QueryOverviewRequest | QueryTableRequest, 'cohorts' | 'filters'>

/** What daily numbers can answer of the conditions of a request; `undefined` when that is not all of them. */
function findImportedFilter({ filters, cohorts }: Filters): ImportedFilter | undefined {
  const [filter, ...others] = filters
  if (cohorts.length > 0 || others.length > 0) return undefined
  if (!filter) return NO_FILTER
  const { dimension, operator, source } = filter
  if (source !== PropertySource.UNSPECIFIED || dimension === Dimension.GOAL) return undefined
  if (OF_EVENTS.has(dimension) && operator !== FilterOperator.EQUALS) return undefined
  const { operator: name, operands } = parseTextCondition(filter)
  return { dimension, condition: matchValue(name, operands, { text: sql`value`, number: sql`NULL` }) }
}

/** The rows to add up, or why there are none. */
export type FoundScope =
  | { readonly state: ImportedState.INCLUDED; readonly scope: ImportedScope }
  | { readonly state: Exclude<ImportedState, ImportedState.INCLUDED> }

/** The rows of imported days of a range. `dimension` is that of a table. */
export function findScope(
  { projectId, imports, timeZone, filter }: ImportedDaysOf,
  range: RangeMs,
  dimension?: Dimension,
): FoundScope {
  if (imports.length === 0) return { state: ImportedState.UNSPECIFIED }
  const within = daysThatStartIn(range, timeZone)
  const days = within ? cutDays(findShownDays(imports), within) : []
  if (days.length === 0) return { state: ImportedState.UNSPECIFIED }
  const isOther = dimension !== undefined && filter?.dimension !== 0 && filter?.dimension !== dimension
  if (!filter || isOther) return { state: ImportedState.NOT_FILTERABLE }
  const asked = dimension ?? filter.dimension
  const known = asked === 0 ? days : days.filter(({ dimensions }) => dimensions.includes(asked))
  if (known.length === 0) {
    // No import has numbers of the filter's dimension, or of the table's.
    return {
      state: filter.dimension === 0 ? ImportedState.NO_SUCH_DIMENSION : ImportedState.NOT_FILTERABLE,
    }
  }
  const { condition } = filter
  return { state: ImportedState.INCLUDED, scope: { projectId, days: known, dimension: asked, condition } }
}
