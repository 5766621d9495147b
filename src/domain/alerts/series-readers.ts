import { invalid } from '../insights/invalid.ts'

/** The path of the point in a request that creates an alert. */
const POINT_FIELD = 'content.point'

/** A point that the insight does not have. */
export function invalidPoint(description: string, field: string = POINT_FIELD): Error {
  return invalid(field, description, 'INVALID_ALERT')
}

/** Most values of a breakdown, and rows of top-K, that an answer has. */
export const VALUES_MAX = 100

/** Values of a breakdown that a spec without a limit has. */
const VALUES_DEFAULT = 10

/** Names a series of an answer with a breakdown. */
export interface SeriesName {
  readonly breakdown: Readonly<Record<string, string>>
  readonly others: boolean
}

/** A spec that may have a breakdown. */
interface BrokenDown {
  readonly breakdowns: readonly { readonly property: string }[]
  readonly breakdownLimit: number
  readonly breakdownCohortIds: readonly string[]
}

const COHORT_KEY = '$cohort'

/** Checks that a name has a value for each property of the breakdown, and no others. Throws `invalid_argument`. */
export function checkSeriesName(spec: BrokenDown, { breakdown, others }: SeriesName): void {
  const { breakdowns, breakdownCohortIds } = spec
  const given = Object.keys(breakdown)
  if (others) {
    if (breakdowns.length === 0) throw invalidPoint('can only name the other values of a breakdown')
    if (given.length > 0) throw invalidPoint('must name values or the other values, not both')
    return
  }
  const cohort = breakdown[COHORT_KEY]
  if (breakdownCohortIds.length > 0) {
    if (given.length === 1 && cohort !== undefined && breakdownCohortIds.includes(cohort)) return
    throw invalidPoint('must name one of the cohorts that split the insight')
  }
  const needed = breakdowns.map(({ property }) => property)
  const isComplete = needed.length === given.length && needed.every((name) => Object.hasOwn(breakdown, name))
  if (isComplete) return
  throw needed.length === 0
    ? invalidPoint('names a breakdown that the insight does not have')
    : invalidPoint(`must name a value of ${needed.join(', ')}, or the other values`)
}

/** The limit of the breakdown of the question: a named value need not be among those that the chart shows. */
export function breakdownLimitFor(spec: BrokenDown, { others }: SeriesName): number {
  return spec.breakdowns.length === 0 || others ? spec.breakdownLimit : VALUES_MAX
}

/**
 * The series with a name, of an answer to a spec with {@link breakdownLimitFor}; `undefined` when no events have its values.
 * Throws `invalid_argument` when its values are beyond the limit.
 */
export function findSeries<Series extends { readonly breakdown: Readonly<Record<string, string>> }>(
  series: readonly Series[],
  { breakdownLimit, breakdowns }: BrokenDown,
  { breakdown, others }: SeriesName,
): Series | undefined {
  const limit = breakdowns.length === 0 ? series.length : breakdownLimit || VALUES_DEFAULT
  const rest = series[limit]
  if (others) return rest
  const wanted = Object.entries(breakdown)
  const found = series
    .slice(0, limit)
    .find((one) => wanted.every(([property, value]) => one.breakdown[property] === value))
  if (!found && rest) throw beyondLimit('value')
  return found
}

/** The error of a value that is not among the largest. */
export function beyondLimit(kind: 'value' | 'row' | 'node'): Error {
  const article = kind === 'node' ? 'a link of nodes' : `a ${kind}`
  return invalidPoint(
    `names ${article} beyond the largest that the answer has; give the insight a filter instead`,
  )
}
