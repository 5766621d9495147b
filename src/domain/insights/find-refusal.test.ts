import { fromJson, type JsonObject } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { CohortDefinitionSchema } from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import { QueryRequestSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import { NO_COHORT } from './cohort-filters.ts'
import { findRefusal } from './find-refusal.ts'
import { parseDefinition } from './parse-cohort.ts'

const A = { event: { kind: 'a' } }
const PURCHASE = { condition: { performed: A } }
/** An event with a comparison of a text with a number. */
const BROKEN = { kind: 'x', filters: [{ property: 'plan', operator: 'FILTER_OPERATOR_GT', value: 'pro' }] }
const NAMELESS = { filters: [{ property: 'a b', operator: 'FILTER_OPERATOR_IS_SET' }] }

const NAME =
  'must be the name of a property: letters, digits, _ and -, with dots between parts and $ before auto properties'

/** The refusal of a query over two days as `field: sentence`. */
function ask(type: string, spec: JsonObject, request: JsonObject = {}): string {
  const query = fromJson(QueryRequestSchema, {
    spec: { insightType: `INSIGHT_TYPE_${type}`, ...spec },
    timeRange: { from: '2026-01-05T00:00:00Z', to: '2026-01-07T00:00:00Z' },
    granularity: 'GRANULARITY_DAY',
    ...request,
  })
  return write(findRefusal(query, 'UTC'))
}

/** The message names the field of the first violation. */
function write(refusal: unknown): string {
  if (!(refusal instanceof ServiceError)) return 'accepted'
  const { field, description } = refusal.violations[0] ?? { field: '', description: '' }
  return refusal.message === `${field}: ${description}`
    ? `${refusal.code} ${refusal.message}`
    : 'without a field'
}

function define(definition: JsonObject): string {
  const context = { nowMs: 0, timeZone: 'UTC', lookup: NO_COHORT }
  try {
    parseDefinition(fromJson(CohortDefinitionSchema, definition), 'definition', context)
    return 'accepted'
  } catch (error) {
    return write(error)
  }
}

function nest(depth: number, inner: JsonObject): JsonObject {
  return depth === 0 ? inner : { group: { members: [nest(depth - 1, inner)] } }
}

const FUNNEL_OF_THREE = [A, A, A]

test.each(
  ['MEDIAN', 'DISTINCT_VALUES', 'UNIQUE_SESSIONS', 'ROLLING_7_DAY_USERS'].flatMap((metric) =>
    ['FUNNEL', 'RETENTION', 'LIFECYCLE', 'STICKINESS'].map((type) => [metric, type] as const),
  ),
)('%s does not work in a query of type %s', (metric, type) => {
  const events = [{ ...A, aggregation: `AGGREGATION_TYPE_${metric}`, aggregationProperty: 'v' }]
  expect(ask(type, { events })).toBe(
    'invalid_argument spec.events[0].aggregation: must be unset, TOTAL or UNIQUE_USERS here',
  )
})

test.each<readonly [type: string, spec: JsonObject, refusal: string]>([
  [
    'TRENDS',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_MEDIAN' }] },
    'spec.events[0].aggregationProperty: is required for SUM, AVG, MIN, MAX, MEDIAN, percentiles and DISTINCT_VALUES',
  ],
  [
    'TRENDS',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_P75' }] },
    'spec.events[0].aggregationProperty: is required for SUM, AVG, MIN, MAX, MEDIAN, percentiles and DISTINCT_VALUES',
  ],
  [
    'TRENDS',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_P90' }] },
    'spec.events[0].aggregationProperty: is required for SUM, AVG, MIN, MAX, MEDIAN, percentiles and DISTINCT_VALUES',
  ],
  [
    'TRENDS',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_P95' }] },
    'spec.events[0].aggregationProperty: is required for SUM, AVG, MIN, MAX, MEDIAN, percentiles and DISTINCT_VALUES',
  ],
  [
    'TRENDS',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_P99' }] },
    'spec.events[0].aggregationProperty: is required for SUM, AVG, MIN, MAX, MEDIAN, percentiles and DISTINCT_VALUES',
  ],
  [
    'TRENDS',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_DISTINCT_VALUES' }] },
    'spec.events[0].aggregationProperty: is required for SUM, AVG, MIN, MAX, MEDIAN, percentiles and DISTINCT_VALUES',
  ],
  [
    'TRENDS',
    {
      events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_MEDIAN', aggregationProperty: 'a b' }],
    },
    `spec.events[0].aggregationProperty: ${NAME}`,
  ],
  [
    'TRENDS',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_P99', aggregationProperty: '$' }] },
    `spec.events[0].aggregationProperty: ${NAME}`,
  ],
  [
    'SEGMENTATION',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_ROLLING_7_DAY_USERS' }] },
    'spec.events[0].aggregation: must not be that of rolling users, which belong to trends',
  ],
  [
    'SEGMENTATION',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_ROLLING_30_DAY_USERS' }] },
    'spec.events[0].aggregation: must not be that of rolling users, which belong to trends',
  ],
  [
    'TRENDS',
    { events: [A, A], formulas: Array(11).fill({ expression: 'A' }) },
    'spec.formulas: must have at most 10 entries',
  ],
  ['TRENDS', { formulas: [{ expression: '1' }] }, 'spec.formulas: needs events to compute with'],
  ['SEGMENTATION', { formulas: [{ expression: 'A' }] }, 'spec.formulas: needs events to compute with'],
  [
    'TRENDS',
    { events: [A], formulas: [{ expression: 'A' }, { expression: 'B' }] },
    'spec.formulas[1].expression: position 1: unknown series B; the query has 1 series',
  ],
  [
    'TRENDS',
    { events: [A], formulas: [{ expression: 'A', displayName: 'x'.repeat(201) }] },
    'spec.formulas[0].displayName: must have at most 200 characters',
  ],
  [
    'TRENDS',
    { session: { metric: 'SESSION_METRIC_SESSIONS' }, formulas: [{ expression: '1' }] },
    'spec.formulas: must be empty when sessions are measured',
  ],
  ['FUNNEL', { events: [A], formulas: [{ expression: 'A' }] }, 'spec.formulas: does not belong to FUNNEL'],
  [
    'RETENTION',
    { events: [A], formulas: [{ expression: 'A' }] },
    'spec.formulas: does not belong to RETENTION',
  ],
  [
    'LIFECYCLE',
    { events: [A], formulas: [{ expression: 'A' }] },
    'spec.formulas: does not belong to LIFECYCLE',
  ],
  [
    'STICKINESS',
    { events: [A], formulas: [{ expression: 'A' }] },
    'spec.formulas: does not belong to STICKINESS',
  ],
  [
    'USER_FLOW',
    { userFlow: {}, formulas: [{ expression: '1' }] },
    'spec.formulas: does not belong to USER_FLOW',
  ],
  [
    'TOP_K',
    { topK: { dimension: 'DIMENSION_USER' }, formulas: [{ expression: '1' }] },
    'spec.formulas: does not belong to TOP_K',
  ],
  ['TRENDS', { cohorts: [{}] }, 'spec.cohorts[0].cohortId: is required'],
  ['TRENDS', { cohorts: Array(21).fill({ cohortId: 'x' }) }, 'spec.cohorts: must have at most 20 entries'],
  [
    'TRENDS',
    { events: [A, { event: { kind: 'a' }, cohorts: [{ cohortId: 'x' }, { negate: true }] }] },
    'spec.events[1].cohorts[1].cohortId: is required',
  ],
  [
    'FUNNEL',
    { events: [A, { event: { kind: 'a' }, cohorts: Array(21).fill({ cohortId: 'x' }) }] },
    'spec.events[1].cohorts: must have at most 20 entries',
  ],
  ['TRENDS', { breakdownCohortIds: [''] }, 'spec.breakdownCohortIds[0]: is required'],
  ['TRENDS', { breakdownCohortIds: ['x', ''] }, 'spec.breakdownCohortIds[1]: is required'],
  [
    'FUNNEL',
    { events: [A], breakdownCohortIds: ['x', 'x'] },
    'spec.breakdownCohortIds: must not name a cohort twice',
  ],
  [
    'RETENTION',
    { events: [A], breakdownCohortIds: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'] },
    'spec.breakdownCohortIds: must have at most 10 entries',
  ],
  [
    'SEGMENTATION',
    { breakdownCohortIds: ['x', 'y', 'x'] },
    'spec.breakdownCohortIds: must not name a cohort twice',
  ],
  [
    'TRENDS',
    { breakdownCohortIds: ['x'], breakdowns: [{ property: 'plan' }] },
    'spec.breakdowns: must be empty when breakdownCohortIds splits the answer',
  ],
  [
    'FUNNEL',
    { events: [A], breakdownCohortIds: ['x'], breakdownLimit: 3 },
    'spec.breakdownLimit: needs at least one breakdown',
  ],
  [
    'LIFECYCLE',
    { events: [A], breakdownCohortIds: ['x'] },
    'spec.breakdownCohortIds: does not belong to LIFECYCLE',
  ],
  [
    'STICKINESS',
    { events: [A], breakdownCohortIds: ['x'] },
    'spec.breakdownCohortIds: does not belong to STICKINESS',
  ],
  [
    'USER_FLOW',
    { userFlow: {}, breakdownCohortIds: ['x'] },
    'spec.breakdownCohortIds: does not belong to USER_FLOW',
  ],
  ['LIFECYCLE', {}, 'spec.events: must be exactly one for LIFECYCLE'],
  ['LIFECYCLE', { events: [A, A] }, 'spec.events: must be exactly one for LIFECYCLE'],
  [
    'LIFECYCLE',
    { events: [A], breakdowns: [{ property: 'a' }] },
    'spec.breakdowns: does not belong to LIFECYCLE',
  ],
  [
    'LIFECYCLE',
    { events: [A], session: { metric: 'SESSION_METRIC_SESSIONS' } },
    'spec.session: does not belong to LIFECYCLE',
  ],
  [
    'LIFECYCLE',
    { events: [{ event: BROKEN }] },
    'spec.events[0].event.filters[0].value: must be a decimal number',
  ],
  ['LIFECYCLE', { events: [A], retention: {} }, 'spec.retention: does not belong to LIFECYCLE'],
  ['STICKINESS', {}, 'spec.events: needs at least one event'],
  ['STICKINESS', { events: Array(11).fill(A) }, 'spec.events: must be at most 10'],
  [
    'STICKINESS',
    { events: [A], breakdowns: [{ property: 'a' }] },
    'spec.breakdowns: does not belong to STICKINESS',
  ],
  ['STICKINESS', { events: [A, { event: NAMELESS }] }, `spec.events[1].event.filters[0].property: ${NAME}`],
  ['STICKINESS', { events: [A], funnel: {} }, 'spec.funnel: does not belong to STICKINESS'],
  [
    'FUNNEL',
    { events: [A], funnel: { view: 'VIEW_TIME_TO_CONVERT' } },
    'spec.funnel.toStep: must be higher than fromStep',
  ],
  ['FUNNEL', {}, 'spec.events: must have at least one step'],
  ['FUNNEL', { events: Array(21).fill(A) }, 'spec.events: must be at most 20 steps'],
  [
    'FUNNEL',
    { events: Array(7).fill(A), funnel: { optionalSteps: [2, 3, 4, 5, 6, 7] } },
    'spec.funnel.optionalSteps[5]: must not be the first or the last step',
  ],
  [
    'FUNNEL',
    { events: Array(10).fill(A), funnel: { optionalSteps: [2, 3, 4, 5, 6, 7, 8] } },
    'spec.funnel.optionalSteps: must have at most 6 entries',
  ],
  ['FUNNEL', { events: [A, A], conversionWindow: '0s' }, 'spec.conversionWindow: must be at least 1s'],
  ['FUNNEL', { events: [A, A], conversionWindow: '-5s' }, 'spec.conversionWindow: must be at least 1s'],
  ['FUNNEL', { events: [A, A], conversionWindow: '1.5s' }, 'spec.conversionWindow: must be whole seconds'],
  ['TRENDS', { events: [A], funnel: { order: 'ORDER_ANY' } }, 'spec.funnel: does not belong to TRENDS'],
  [
    'RETENTION',
    { events: [A], retention: { returnRule: 2 } },
    'spec.retention.returnRule: is not a known value',
  ],
  [
    'RETENTION',
    { events: [A], retention: { startRule: 3 } },
    'spec.retention.startRule: is not a known value',
  ],
  ['RETENTION', { events: [A], retention: { periods: 2 } }, 'spec.retention.periods: is not a known value'],
  ['RETENTION', { events: [A], retention: { value: 3 } }, 'spec.retention.value: is not a known value'],
  [
    'RETENTION',
    { events: [A], retention: { value: 'VALUE_PROPERTY_SUM' } },
    'spec.retention.property: is required',
  ],
  [
    'RETENTION',
    { events: [A], retention: { value: 'VALUE_PROPERTY_AVG' } },
    'spec.retention.property: is required',
  ],
  [
    'RETENTION',
    { events: [A], retention: { value: 'VALUE_PROPERTY_SUM', property: 'a b' } },
    `spec.retention.property: ${NAME}`,
  ],
  ['RETENTION', {}, 'spec.events: needs the start event'],
  ['RETENTION', { events: [A, A, A] }, 'spec.events: must be at most 2'],
  [
    'RETENTION',
    { events: [A, { event: BROKEN }] },
    'spec.events[1].event.filters[0].value: must be a decimal number',
  ],
  ['FUNNEL', { events: [A], retention: {} }, 'spec.retention: does not belong to FUNNEL'],
  ['TRENDS', { events: [A], retention: { returnRule: 1 } }, 'spec.retention: does not belong to TRENDS'],
  ['USER_FLOW', {}, 'spec.userFlow: is required by USER_FLOW'],
  ['TRENDS', { events: [A], userFlow: {} }, 'spec.userFlow: does not belong to TRENDS'],
  [
    'TRENDS',
    { events: [A], breakdowns: [{ property: 'plan', source: 'PROPERTY_SOURCE_AUTO' }] },
    'spec.breakdowns[0].property: must start with $ for an auto property',
  ],
  [
    'TRENDS',
    { events: [A], breakdowns: [{ property: '$browser', source: 'PROPERTY_SOURCE_CUSTOM' }] },
    'spec.breakdowns[0].property: must not start with $ for a custom property',
  ],
  [
    'TRENDS',
    { events: [A], breakdowns: [{ property: 'a b', source: 'PROPERTY_SOURCE_SESSION_ENTRY' }] },
    `spec.breakdowns[0].property: ${NAME}`,
  ],
  [
    'TRENDS',
    { events: [A], breakdowns: [{ property: '', source: 'PROPERTY_SOURCE_FIRST_TOUCH' }] },
    `spec.breakdowns[0].property: ${NAME}`,
  ],
  [
    'TRENDS',
    { events: [A], breakdowns: [{ property: 'plan', source: 99 }] },
    'spec.breakdowns[0].source: is not a known value',
  ],
  [
    'TRENDS',
    {
      events: [A],
      breakdowns: [
        { property: '$channel', source: 'PROPERTY_SOURCE_SESSION_ENTRY' },
        { property: '$channel', source: 'PROPERTY_SOURCE_FIRST_TOUCH' },
      ],
    },
    'spec.breakdowns: must not name a property twice',
  ],
  [
    'FUNNEL',
    {
      events: [A],
      breakdowns: [{ property: '$channel' }, { property: '$channel', source: 'PROPERTY_SOURCE_FIRST_TOUCH' }],
    },
    'spec.breakdowns: must not name a property twice',
  ],
  [
    'TRENDS',
    {
      events: [
        {
          event: {
            filters: [
              {
                property: '$channel',
                operator: 'FILTER_OPERATOR_EQUALS',
                source: 'PROPERTY_SOURCE_SESSION_ENTRY',
              },
            ],
          },
        },
      ],
    },
    'spec.events[0].event.filters[0].value: is required by this operator',
  ],
  [
    'RETENTION',
    {
      events: [A],
      filterGroups: [
        {
          filters: [
            { property: 'a b', operator: 'FILTER_OPERATOR_IS_SET', source: 'PROPERTY_SOURCE_FIRST_TOUCH' },
          ],
        },
      ],
    },
    `spec.filterGroups[0].filters[0].property: ${NAME}`,
  ],
  [
    'STICKINESS',
    { events: [A], breakdowns: [{ property: '$channel', source: 'PROPERTY_SOURCE_SESSION_ENTRY' }] },
    'spec.breakdowns: does not belong to STICKINESS',
  ],
])('a query of type %s does not take %j', (type, spec, refusal) => {
  expect(ask(type, spec)).toBe(`invalid_argument ${refusal}`)
})

test.each<readonly [type: string, spec: JsonObject, request: JsonObject, refusal: string]>([
  [
    'TRENDS',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_ROLLING_7_DAY_USERS' }] },
    { granularity: 'GRANULARITY_HOUR' },
    'spec.events[0].aggregation: of rolling users needs a granularity of DAY, WEEK or MONTH',
  ],
  [
    'TRENDS',
    { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_ROLLING_30_DAY_USERS' }] },
    {
      granularity: 'GRANULARITY_MINUTE',
      timeRange: { from: '2026-01-05T00:00:00Z', to: '2026-01-05T01:00:00Z' },
    },
    'spec.events[0].aggregation: of rolling users needs a granularity of DAY, WEEK or MONTH',
  ],
  ['TRENDS', { events: [A] }, { compareTo: {} }, 'compareTo: needs exactly one of previousPeriod, shift'],
  [
    'TRENDS',
    { events: [A] },
    { compareTo: { previousPeriod: false } },
    'compareTo.previousPeriod: must be true',
  ],
  ['TRENDS', { events: [A] }, { compareTo: { shift: { count: 1 } } }, 'compareTo.shift.unit: is required'],
  [
    'TRENDS',
    { events: [A] },
    { compareTo: { shift: { unit: 'CALENDAR_UNIT_WEEK' } } },
    'compareTo.shift.count: must be 1 to 400',
  ],
  [
    'TRENDS',
    { events: [A] },
    { compareTo: { shift: { unit: 'CALENDAR_UNIT_YEAR', count: -1 } } },
    'compareTo.shift.count: must be 1 to 400',
  ],
  [
    'FUNNEL',
    { events: [A] },
    { compareTo: { shift: { unit: 'CALENDAR_UNIT_MONTH', count: 401 } } },
    'compareTo.shift.count: must be 1 to 400',
  ],
  [
    'TRENDS',
    { events: [A] },
    { compareTo: { shift: { unit: 5, count: 1 } } },
    'compareTo.shift.unit: is not a known value',
  ],
  [
    'LIFECYCLE',
    { events: [A] },
    { granularity: 'GRANULARITY_HOUR' },
    'granularity: must be DAY, WEEK or MONTH for LIFECYCLE',
  ],
  [
    'RETENTION',
    { events: [A], retention: { periods: 'PERIODS_ELAPSED' } },
    { granularity: 'GRANULARITY_MONTH' },
    'spec.retention.periods: needs a granularity of hours, days or weeks for PERIODS_ELAPSED',
  ],
  [
    'RETENTION',
    { events: [A], retention: { periods: 'PERIODS_ELAPSED' } },
    {
      granularity: 'GRANULARITY_MINUTE',
      timeRange: { from: '2026-01-05T00:00:00Z', to: '2026-01-05T01:00:00Z' },
    },
    'spec.retention.periods: needs a granularity of hours, days or weeks for PERIODS_ELAPSED',
  ],
])('a query of type %s does not take %j with %j', (type, spec, request, refusal) => {
  expect(ask(type, spec, request)).toBe(`invalid_argument ${refusal}`)
})

test.each<readonly [expression: string, mistake: string]>([
  ['', 'is required'],
  [' ', 'is required'],
  ['a', 'position 1: unknown name a; expected a series (A to Z) or a function (min, max, abs)'],
  ['C', 'position 1: unknown series C; the query has 2 series'],
  ['Z', 'position 1: unknown series Z; the query has 2 series'],
  ['AB', 'position 1: unknown name AB; expected a series (A to Z) or a function (min, max, abs)'],
  ['A B', 'position 3: unexpected B; expected an operator'],
  ['A B C', 'position 3: unexpected B; expected an operator'],
  ['A +', 'position 4: unexpected end of the formula; expected a number, a series or a parenthesis'],
  ['* A', 'position 1: unexpected *; expected a number, a series or a parenthesis'],
  ['A */ B', 'position 4: unexpected /; expected a number, a series or a parenthesis'],
  ['A - ', 'position 5: unexpected end of the formula; expected a number, a series or a parenthesis'],
  ['((A)', 'position 5: unexpected end of the formula; expected )'],
  ['(A', 'position 3: unexpected end of the formula; expected )'],
  ['A))', 'position 2: unexpected ); expected an operator'],
  [')', 'position 1: unexpected ); expected a number, a series or a parenthesis'],
  ['()', 'position 2: unexpected ); expected a number, a series or a parenthesis'],
  [',', 'position 1: unexpected ,; expected a number, a series or a parenthesis'],
  ['A, B', 'position 2: unexpected ,; expected an operator'],
  ['min', 'position 4: unexpected end of the formula; expected ('],
  ['min(', 'position 5: unexpected end of the formula; expected a number, a series or a parenthesis'],
  ['min()', 'position 5: unexpected ); expected a number, a series or a parenthesis'],
  ['min(A', 'position 6: unexpected end of the formula; expected ,'],
  ['min(A,', 'position 7: unexpected end of the formula; expected a number, a series or a parenthesis'],
  ['min(A,)', 'position 7: unexpected ); expected a number, a series or a parenthesis'],
  ['min(A B)', 'position 7: unexpected B; expected ,'],
  ['min(A, B, A)', 'position 9: unexpected ,; expected )'],
  ['abs()', 'position 5: unexpected ); expected a number, a series or a parenthesis'],
  ['abs(A, B)', 'position 6: unexpected ,; expected )'],
  ['Max(A, B)', 'position 1: unknown name Max; expected a series (A to Z) or a function (min, max, abs)'],
  ['avg(A, B)', 'position 1: unknown name avg; expected a series (A to Z) or a function (min, max, abs)'],
  ['min A, B', 'position 5: unexpected A; expected ('],
  ['1.', 'position 2: unexpected character "."'],
  ['.5', 'position 1: unexpected character "."'],
  ['1..2', 'position 2: unexpected character "."'],
  ['1.2.3', 'position 4: unexpected character "."'],
  ['1e3', 'position 2: unexpected e3; expected an operator'],
  ['0x10', 'position 2: unexpected x10; expected an operator'],
  ['1,000', 'position 2: unexpected ,; expected an operator'],
  ['1 000', 'position 3: unexpected 000; expected an operator'],
  ['A%', 'position 2: unexpected character "%"'],
  ['A^2', 'position 2: unexpected character "^"'],
  ['2A', 'position 2: unexpected A; expected an operator'],
  ['A2', 'position 1: unknown name A2; expected a series (A to Z) or a function (min, max, abs)'],
  ['A=B', 'position 2: unexpected character "="'],
  ['A>B', 'position 2: unexpected character ">"'],
  ['A!', 'position 2: unexpected character "!"'],
  ['"A"', 'position 1: unexpected character "\\""'],
  ['A;', 'position 2: unexpected character ";"'],
  ['{A}', 'position 1: unexpected character "{"'],
  ['[A]', 'position 1: unexpected character "["'],
  ['A + B', 'position 2: unexpected character " "'],
  ['A × B', 'position 3: unexpected character "×"'],
  ['A − B', 'position 3: unexpected character "−"'],
  ['А', 'position 1: unexpected character "А"'],
  ['$A', 'position 1: unexpected character "$"'],
  ['_', 'position 1: unknown name _; expected a series (A to Z) or a function (min, max, abs)'],
  ['A\u0000', 'position 2: unexpected character "\\u0000"'],
  ['😀 + A', 'position 1: unexpected character "😀"'],
  ['(((((((((((((((((((((A)))))))))))))))))))))', 'position 21: parentheses must be nested at most 20 deep'],
  [
    'A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A',
    'must have at most 500 characters',
  ],
])('a formula of two series is not %j', (expression, mistake) => {
  expect(ask('TRENDS', { events: [A, A], formulas: [{ expression }] })).toBe(
    `invalid_argument spec.formulas[0].expression: ${mistake}`,
  )
})

test.each<readonly [options: JsonObject, refusal: string]>([
  [{ order: 9 }, 'order: is not a known value'],
  [{ countBy: 2 }, 'countBy: is not a known value'],
  [{ view: 3 }, 'view: is not a known value'],
  [{ attribution: 9 }, 'attribution: is not a known value'],
  [{ attribution: 'ATTRIBUTION_STEP_N' }, 'attributionStep: must be 1 to 3'],
  [{ attribution: 'ATTRIBUTION_STEP_N', attributionStep: 4 }, 'attributionStep: must be 1 to 3'],
  [{ attribution: 'ATTRIBUTION_STEP_N', attributionStep: -1 }, 'attributionStep: must be 0 to 20'],
  [{ attributionStep: 2 }, 'attributionStep: needs ATTRIBUTION_STEP_N'],
  [{ attribution: 'ATTRIBUTION_LAST_STEP', attributionStep: 3 }, 'attributionStep: needs ATTRIBUTION_STEP_N'],
  [{ exclusions: [{}] }, 'exclusions[0].event: is required'],
  [{ exclusions: [{ event: { kind: 'x' } }] }, 'exclusions[0].afterStep: must be 1 to 19'],
  [{ exclusions: [{ event: { kind: 'x' }, afterStep: 1 }] }, 'exclusions[0].beforeStep: must be 2 to 20'],
  [{ exclusions: [{ event: { kind: 'x' }, beforeStep: 2 }] }, 'exclusions[0].afterStep: must be 1 to 19'],
  [
    { exclusions: [{ event: { kind: 'x' }, afterStep: 2, beforeStep: 2 }] },
    'exclusions[0].beforeStep: must be higher than afterStep',
  ],
  [
    { exclusions: [{ event: { kind: 'x' }, afterStep: 3, beforeStep: 1 }] },
    'exclusions[0].beforeStep: must be 2 to 20',
  ],
  [
    { exclusions: [{ event: { kind: 'x' }, afterStep: 1, beforeStep: 4 }] },
    'exclusions[0].beforeStep: must be 1 to 3',
  ],
  [
    { exclusions: [{ event: { kind: 'x' }, afterStep: 4, beforeStep: 5 }] },
    'exclusions[0].afterStep: must be 1 to 3',
  ],
  [
    { exclusions: [{ event: { kind: 'x' }, afterStep: -1, beforeStep: 2 }] },
    'exclusions[0].afterStep: must be 1 to 19',
  ],
  [
    {
      exclusions: [
        { event: { kind: 'x' }, afterStep: 1, beforeStep: 2 },
        { event: BROKEN, afterStep: 1, beforeStep: 2 },
      ],
    },
    'exclusions[1].event.filters[0].value: must be a decimal number',
  ],
  [
    { exclusions: [{ event: NAMELESS, afterStep: 1, beforeStep: 2 }] },
    `exclusions[0].event.filters[0].property: ${NAME}`,
  ],
  [
    { exclusions: Array(21).fill({ event: { kind: 'x' }, afterStep: 1, beforeStep: 2 }) },
    'exclusions: must have at most 20 entries',
  ],
  [
    { order: 'ORDER_ANY', exclusions: [{ event: { kind: 'x' }, afterStep: 1, beforeStep: 2 }] },
    'exclusions: does not work with ORDER_ANY',
  ],
  [{ order: 'ORDER_ANY', stepWindows: ['0s', '60s'] }, 'stepWindows: does not work with ORDER_ANY'],
  [{ order: 'ORDER_ANY', optionalSteps: [2] }, 'optionalSteps: needs ORDER_SEQUENTIAL'],
  [{ order: 'ORDER_STRICT', optionalSteps: [2] }, 'optionalSteps: needs ORDER_SEQUENTIAL'],
  [{ holdConstant: [''] }, `holdConstant[0]: ${NAME}`],
  [{ holdConstant: ['a b'] }, `holdConstant[0]: ${NAME}`],
  [{ holdConstant: ['plan', 'plan'] }, 'holdConstant: must not name a property twice'],
  [{ holdConstant: ['a', 'b', 'c', 'd'] }, 'holdConstant: must have at most 3 entries'],
  [{ optionalSteps: [1] }, 'optionalSteps[0]: must be 2 to 19'],
  [{ optionalSteps: [3] }, 'optionalSteps[0]: must not be the first or the last step'],
  [{ optionalSteps: [0] }, 'optionalSteps[0]: must be 2 to 19'],
  [{ optionalSteps: [-2] }, 'optionalSteps[0]: must be 2 to 19'],
  [{ optionalSteps: [2, 2] }, 'optionalSteps: must not name a step twice'],
  [{ optionalSteps: [2, 9] }, 'optionalSteps[1]: must be 1 to 3'],
  [{ stepWindows: ['0s', '-1s'] }, 'stepWindows[1]: must not be negative'],
  [{ stepWindows: ['0s', '1s', '1s', '1s'] }, 'stepWindows: must not be more than the 3 steps'],
  [{ stepWindows: ['0s', '1s', '-0.5s'] }, 'stepWindows[2]: must not be negative'],
  [{ view: 'VIEW_TIME_TO_CONVERT', fromStep: 2, toStep: 2 }, 'toStep: must be higher than fromStep'],
  [{ view: 'VIEW_TIME_TO_CONVERT', fromStep: 3 }, 'toStep: must be higher than fromStep'],
  [{ view: 'VIEW_TIME_TO_CONVERT', fromStep: 4 }, 'fromStep: must be 1 to 3'],
  [{ view: 'VIEW_TIME_TO_CONVERT', toStep: 4 }, 'toStep: must be 1 to 3'],
  [{ view: 'VIEW_TIME_TO_CONVERT', toStep: -1 }, 'toStep: must be 0 to 20'],
  [{ view: 'VIEW_TIME_TO_CONVERT', toStep: 1 }, 'toStep: must be higher than fromStep'],
  [{ fromStep: 3, toStep: 2 }, 'toStep: must be higher than fromStep'],
  [{ view: 'VIEW_TIME_TO_CONVERT', bins: 61 }, 'bins: must be 0 to 60'],
  [{ bins: -1 }, 'bins: must be 0 to 60'],
])('a funnel of three steps does not take %j', (funnel, refusal) => {
  expect(ask('FUNNEL', { events: FUNNEL_OF_THREE, funnel })).toBe(`invalid_argument spec.funnel.${refusal}`)
})

test.each<readonly [query: JsonObject, refusal: string]>([
  [{ startAt: {} }, 'startAt: needs exactly one of event, node'],
  [{ endAt: {} }, 'endAt: needs exactly one of event, node'],
  [{ startAt: { node: '' } }, 'startAt.node: must not be empty'],
  [{ endAt: { node: 'x'.repeat(2001) } }, 'endAt.node: must have at most 2000 characters'],
  [{ startAt: { event: BROKEN } }, 'startAt.event.filters[0].value: must be a decimal number'],
  [{ endAt: { event: NAMELESS } }, `endAt.event.filters[0].property: ${NAME}`],
  [{ pathRules: [{}] }, 'pathRules[0].pattern: must not be empty'],
  [{ pathRules: [{ pattern: '', replacement: 'x' }] }, 'pathRules[0].pattern: must not be empty'],
  [{ pathRules: Array(21).fill({ pattern: 'a' }) }, 'pathRules: must have at most 20 entries'],
  [
    { pathRules: [{ pattern: 'a', replacement: 'b'.repeat(501) }] },
    'pathRules[0].replacement: must have at most 500 characters',
  ],
  [{ pathRules: [{ pattern: 'a' }, { pattern: '(' }] }, 'pathRules[1].pattern: lacks a ) at position 2'],
  [
    { pathRules: [{ pattern: 'a', replacement: '\\1' }] },
    'pathRules[0].replacement: names group 1 of a pattern with 0',
  ],
  [
    { pathRules: [{ pattern: '(a)', replacement: '\\2' }] },
    'pathRules[0].replacement: names group 2 of a pattern with 1',
  ],
  [
    { pathRules: [{ pattern: 'a', replacement: '\\' }] },
    'pathRules[0].replacement: must have a digit or a backslash after each backslash',
  ],
  [
    { pathRules: [{ pattern: 'a', replacement: '\\n' }] },
    'pathRules[0].replacement: must have a digit or a backslash after each backslash',
  ],
  [{ maxHops: 11 }, 'maxHops: must be 0 to 10'],
  [{ maxNodes: 1 }, 'maxNodes: must be 2 to 50'],
  [{ maxLinks: 501 }, 'maxLinks: must be 0 to 500'],
  [{ nodeKind: 'NODE_KIND_PROPERTY' }, 'nodeProperty: is required for NODE_KIND_PROPERTY'],
  [{ nodeProperty: 'v' }, 'nodeProperty: belongs to NODE_KIND_PROPERTY only'],
  [{ nodeKind: 'NODE_KIND_PROPERTY', nodeProperty: 'a b' }, `nodeProperty: ${NAME}`],
  [{ scope: BROKEN }, 'scope.filters[0].value: must be a decimal number'],
])('a user flow does not take %j', (userFlow, refusal) => {
  expect(ask('USER_FLOW', { userFlow })).toBe(`invalid_argument spec.userFlow.${refusal}`)
})

test.each<readonly [pattern: string, problem: string]>([
  ['a'.repeat(501), 'must have at most 500 characters'],
  ['(a', 'lacks a ) at position 3'],
  ['a)', 'has a ) without a ( at position 2'],
  ['[', 'has a [ without a valid class at position 1'],
  ['[z-a]', 'has a [ without a valid class at position 1'],
  ['*', 'has nothing to repeat at position 1'],
  ['+a', 'has nothing to repeat at position 1'],
  ['a**', 'repeats a repetition at position 3'],
  ['a{2,1}', 'has a repetition with its bounds in the wrong order at position 2'],
  ['a{1001}', 'repeats too often at position 2'],
  ['(?=a)', 'has an unsupported group at position 1'],
  ['(?!a)', 'has an unsupported group at position 1'],
  ['(?<=a)', 'has an unsupported group at position 1'],
  ['(?<!a)', 'has an unsupported group at position 1'],
  ['(?>a)', 'has an unsupported group at position 1'],
  ['(a)\\1', 'has an unsupported escape at position 4'],
  ['\\C', 'has an unsupported escape at position 1'],
  ['\\Z', 'has an unsupported escape at position 1'],
  ['\\p{Nope}', 'has an unsupported escape at position 1'],
  ['\\x{110000}', 'has an unsupported escape at position 1'],
  ['a\\', 'has an unsupported escape at position 2'],
  ['(?P<n>a)(?P<n>b)', 'names two groups n at position 9'],
  ['(?P=n)', 'has an unsupported group at position 1'],
  ['(?x)a', 'has an unsupported group at position 1'],
  ['(?R)', 'has an unsupported group at position 1'],
  ['(?#c)', 'has an unsupported group at position 1'],
  ['\\K', 'has an unsupported escape at position 1'],
  ['\\G', 'has an unsupported escape at position 1'],
  ['[[:nope:]]', 'has a [ without a valid class at position 1'],
  ['((a{100}){100})', 'repeats too often at position 15'],
  ['(?:\\pL{100}){10}', 'is too large'],
  [
    '(((((((((((((((((((((((((((((((((((((((((((((((((((a)))))))))))))))))))))))))))))))))))))))))))))))))))',
    'has more than 50 nested groups at position 52',
  ],
])('a path rule does not take the pattern %j', (pattern, problem) => {
  expect(ask('USER_FLOW', { userFlow: { pathRules: [{ pattern }] } })).toBe(
    `invalid_argument spec.userFlow.pathRules[0].pattern: ${problem}`,
  )
})

test.each<readonly [definition: JsonObject, refusal: string]>([
  [{}, ': needs a group or a condition'],
  [{ group: {} }, '.group.members: must not be empty'],
  [{ group: { members: [PURCHASE, {}] } }, '.group.members[1]: needs a group or a condition'],
  [{ condition: {} }, '.condition: needs performed, firstPerformed, trait or cohort'],
  [
    nest(5, PURCHASE),
    '.group.members[0].group.members[0].group.members[0].group.members[0].group: groups must not nest deeper than 4',
  ],
  [
    nest(40, PURCHASE),
    '.group.members[0].group.members[0].group.members[0].group.members[0].group: groups must not nest deeper than 4',
  ],
  [
    nest(4, { group: {} }),
    '.group.members[0].group.members[0].group.members[0].group.members[0].group: groups must not nest deeper than 4',
  ],
  [
    { group: { members: Array(51).fill(PURCHASE) } },
    '.group.members[50].condition: a definition has at most 50 conditions',
  ],
  [
    { group: { members: Array(10000).fill(PURCHASE) } },
    '.group.members[50].condition: a definition has at most 50 conditions',
  ],
  [
    { group: { members: Array(26).fill({ group: { members: [PURCHASE, PURCHASE] } }) } },
    '.group.members[25].group.members[0].condition: a definition has at most 50 conditions',
  ],
  [
    { condition: { performed: { count: { value: '1' } } } },
    '.condition.performed.count.operator: is required',
  ],
  [
    { condition: { performed: { count: { operator: 9, value: '1' } } } },
    '.condition.performed.count.operator: is required',
  ],
  [
    { condition: { performed: { count: { operator: 'OPERATOR_EXACTLY', value: '-1' } } } },
    '.condition.performed.count.value: must be 0 or more',
  ],
  [
    { condition: { performed: { window: {} } } },
    '.condition.performed.window: needs lastDays, range or ever',
  ],
  [
    { condition: { performed: { window: { ever: false } } } },
    '.condition.performed.window.ever: must be true',
  ],
  [
    { condition: { performed: { window: { lastDays: 0 } } } },
    '.condition.performed.window.lastDays: must be 1 to 36500',
  ],
  [
    { condition: { performed: { window: { lastDays: -1 } } } },
    '.condition.performed.window.lastDays: must be 1 to 36500',
  ],
  [
    { condition: { performed: { window: { lastDays: 36501 } } } },
    '.condition.performed.window.lastDays: must be 1 to 36500',
  ],
  [
    { condition: { performed: { window: { range: {} } } } },
    '.condition.performed.window.range.from: is required',
  ],
  [
    {
      condition: {
        performed: { window: { range: { from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z' } } },
      },
    },
    '.condition.performed.window.range: from must be before to',
  ],
  [
    { condition: { performed: { event: BROKEN } } },
    '.condition.performed.event.filters[0].value: must be a decimal number',
  ],
  [
    { condition: { performed: { event: NAMELESS } } },
    '.condition.performed.event.filters[0].property: is not a property name',
  ],
  [
    { condition: { firstPerformed: { window: { ever: false } } } },
    '.condition.firstPerformed.window.ever: must be true',
  ],
  [
    { condition: { firstPerformed: { event: { filters: [{ property: 'p' }] } } } },
    '.condition.firstPerformed.event.filters[0].operator: is required',
  ],
  [{ condition: { trait: {} } }, '.condition.trait.filter: is required'],
  [{ condition: { trait: { filter: { property: 'p' } } } }, '.condition.trait.filter.operator: is required'],
  [
    {
      condition: {
        trait: {
          filter: {
            property: '$browser',
            operator: 'FILTER_OPERATOR_IS_SET',
            source: 'PROPERTY_SOURCE_CUSTOM',
          },
        },
      },
    },
    '.condition.trait.filter.source: must be unset or PROFILE',
  ],
  [
    {
      condition: { trait: { filter: { property: 'p', operator: 'FILTER_OPERATOR_BETWEEN', values: ['1'] } } },
    },
    '.condition.trait.filter.values: needs exactly two entries for this operator',
  ],
  [
    { condition: { trait: { filter: { property: 'p', operator: 'FILTER_OPERATOR_IN' } } } },
    '.condition.trait.filter.values: needs at least one entry for this operator',
  ],
  [{ condition: { cohort: {} } }, '.condition.cohort.cohortId: is required'],
])('a cohort is not defined by %j', (definition, refusal) => {
  expect(define(definition)).toBe(`invalid_argument definition${refusal}`)
})
