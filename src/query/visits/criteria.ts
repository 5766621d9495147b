import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { OPERATORS } from '../../domain/insights/condition.ts'
import { matchValue, textsCompared } from '../filter/operator-sql.ts'
import { type EventScope, scopedCopies } from '../sql/events-table.ts'
import type { QueryRunner } from '../sql/select.ts'
import { allOf, type Sql, sql } from '../sql/sql.ts'
import { locateEvents } from '../users/locate-events.ts'
import { columnText, IS_PAGE_VIEW, type VisitAttribute } from '../web/dimensions.ts'
import { isOfPerson, neededEvent, type VisitScope } from '../web/visits-sql.ts'
import type { VisitCondition, VisitSelection } from '../web/web-query.ts'

/**
 * A condition that an event of every visit of a scope meets: `FROM events ...`, extended with `AND`, the events that meet it.
 * Other sessions may have such an event too.
 */
export type Criterion = Sql

/** Lists the criteria of the visits; none when a visit without any particular event may be among them. */
export async function listCriteria(visits: VisitScope, run: QueryRunner): Promise<readonly Criterion[]> {
  const { selection, range, reach } = visits
  const { projectId } = selection
  // A visit has no event before the range in which it begins.
  const life: EventScope = { projectId, fromMs: range.fromMs, toMs: reach.range.toMs }
  const far = reach.condition ? sql` AND ${reach.condition}` : sql``
  const ofLife = (condition: Sql, more: Partial<EventScope> = {}): Criterion =>
    sql`${scopedCopies({ ...life, ...more }, condition)}${far}`
  const begins = conditionsOf(selection, 'first event')
  const event = neededEvent(visits)
  return [
    ...(begins.length > 0 ? [scopedCopies({ projectId, ...range }, allOf(begins.map(meets)))] : []),
    ...(event ? [ofLife(event, { kinds: kindsNamed(selection) })] : []),
    ...[...pageConditions(selection), ...goalConditions(visits)].map((condition) => ofLife(condition)),
    ...(await personCriteria(selection, { life, ofLife, run })),
  ]
}

/** The conditions on the value of one of a visit's events. The first touch may lie in an earlier visit. */
function conditionsOf({ visits }: VisitSelection, of: VisitAttribute['of']): readonly VisitCondition[] {
  return visits.filter(({ attribute, isFirstTouch }) => attribute.of === of && !isFirstTouch)
}

/** Whether the row's event has a value that meets the condition. */
function meets({ attribute, operator, operands }: VisitCondition): Sql {
  return matchValue(operator, operands, { text: columnText(attribute.property), number: sql`NULL` })
}

/** Conditions on the first and on the last page view. One that a missing page meets needs no page view. */
function pageConditions(selection: VisitSelection): readonly Sql[] {
  return (['first page view', 'last page view'] as const).flatMap((of) => {
    const needed = conditionsOf(selection, of).filter(({ operator }) => !OPERATORS[operator].matchesMissing)
    return needed.length === 0 ? [] : [allOf([IS_PAGE_VIEW, ...needed.map(meets)])]
  })
}

function goalConditions({ selection, completions }: VisitScope): readonly Sql[] {
  const needed = selection.goals.filter(({ completion }) => completion === 'needed')
  return needed.flatMap(({ goalId }) => completions.get(goalId) ?? [])
}

/** The kinds that a condition names, because the engine finds kinds by the key; `undefined` without such a condition. */
function kindsNamed({ events }: VisitSelection): readonly string[] | undefined {
  const named = events.find(
    ({ attribute, operator }) =>
      attribute.property === 'kind' && (operator === FilterOperator.EQUALS || operator === FilterOperator.IN),
  )
  return named && textsCompared(named.operator, named.operands)
}

async function personCriteria(
  { person }: VisitSelection,
  {
    life,
    ofLife,
    run,
  }: {
    readonly life: EventScope
    readonly ofLife: (condition: Sql, more: Partial<EventScope>) => Criterion
    readonly run: QueryRunner
  },
): Promise<readonly Criterion[]> {
  if (!person) return []
  return [ofLife(isOfPerson(person), await locateEvents(person, { range: life, run }))]
}
