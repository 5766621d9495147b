import type { ProjectId } from '../../contract/ids.ts'
import type { CohortRule, CountRule } from '../../domain/insights/cohort-rule.ts'
import type { Condition } from '../../domain/insights/condition.ts'
import type { EventMatch } from '../../domain/insights/parse-filters.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import type { RowScope } from '../attribution/first-events.ts'
import { bigintCodec, uuidCodec } from '../sql/codec.ts'
import { ALL_TIME, type EventScope, instant, scopedEvents } from '../sql/events-table.ts'
import { kindConditions, unionOfKinds } from '../sql/kind-sql.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { allOf, anyOf, join, numbered, param, type Sql, sql } from '../sql/sql.ts'
import { NOT_COOKIELESS, USER_KEY } from '../users/user-sql.ts'

/** Where the users of a cohort are looked for. */
export interface CohortScope {
  readonly projectId: ProjectId
  /** Compiles the conditions of a rule. */
  readonly conditionSql: (condition: Condition, scope: { readonly rows: RowScope; readonly user: Sql }) => Sql
  /** The only user that matters; everyone does when absent. */
  readonly within?: UserScope | undefined
}

/** Where the rows of one user are, and possibly rows of others. */
export interface UserScope {
  /** The user's events: their times, and the hashes of their distinct ids. */
  readonly events: RangeMs & { readonly userHashes: Sql }
  /** `(SELECT ...)`: the hashes of all ids of the user. */
  readonly ids: Sql
}

/** A rule about events. */
type EventRule = Extract<CohortRule, { kind: 'performed' | 'first_performed' }>

/**
 * Whether a user of the project, as a hash, is in a cohort: 0 or 1. `user` must have an event that is not cookieless or an
 * Identify.
 *
 * Parts without events are tests of their own. The others share one scan, which counts the matching events of each user. It
 * finds only users with such an event: a rule that users without one may meet is compiled as the complement of its negation,
 * and a rule for which that fails too is evaluated on all users of the project.
 */
export function isInCohort(rule: CohortRule, user: Sql, scope: CohortScope): Sql {
  if (rule.kind === 'trait' || rule.kind === 'listed') return withoutEventsSql(rule, user, scope)
  if (rule.kind === 'all' || rule.kind === 'any') {
    const [ofEvents, ofOthers] = partsOf(rule.of)
    if (ofOthers.length > 0) {
      const parts = ofOthers.map((part) => isInCohort(part, user, scope))
      const scanned = ofEvents.length === 0 ? [] : [byScan({ kind: rule.kind, of: ofEvents }, user, scope)]
      return rule.kind === 'all' ? allOf([...parts, ...scanned]) : anyOf([...parts, ...scanned])
    }
  }
  if (rule.kind === 'not' && !readsEvents(rule)) return sql`NOT (${isInCohort(rule.of, user, scope)})`
  return byScan(rule, user, scope)
}

/** `SELECT user`: the users of a project, as hashes, each at least once. */
export function everyUser({ projectId, within }: Pick<CohortScope, 'projectId' | 'within'>): Sql {
  const some = within ? sql` AND user_hash IN ${within.ids}` : sql``
  return sql`SELECT ${USER_KEY} AS user ${scopedTable('users', projectId)}${some} UNION ALL SELECT user_hash AS user ${scopedTable('profiles', projectId)}${some}`
}

function partsOf(rules: readonly CohortRule[]): readonly [ofEvents: CohortRule[], ofOthers: CohortRule[]] {
  return [rules.filter(readsEvents), rules.filter((rule) => !readsEvents(rule))]
}

function readsEvents(rule: CohortRule): boolean {
  switch (rule.kind) {
    case 'performed':
    case 'first_performed':
      return true
    case 'trait':
    case 'listed':
      return false
    case 'all':
    case 'any':
      return rule.of.some(readsEvents)
    case 'not':
      return readsEvents(rule.of)
    default:
      return rule satisfies never
  }
}

function withoutEventsSql(
  rule: Extract<CohortRule, { kind: 'trait' | 'listed' }>,
  user: Sql,
  { projectId, conditionSql }: CohortScope,
): Sql {
  if (rule.kind === 'trait')
    return conditionSql(rule.condition, { rows: { projectId, range: ALL_TIME }, user })
  const listed = sql`${scopedTable('cohort_members', projectId)} AND cohort = ${param(uuidCodec, rule.cohortId)} AND is_member`
  return sql`${user} IN (SELECT dictGetOrDefault('identities', 'user_hash', id_hash, id_hash) ${listed})`
}

function byScan(rule: CohortRule, user: Sql, scope: CohortScope): Sql {
  if (holdsWithoutEvents(rule) === 'never') return sql`${user} IN (${usersByEvents(rule, scope)})`
  const negation: CohortRule = { kind: 'not', of: rule }
  if (holdsWithoutEvents(negation) === 'never') return sql`${user} NOT IN (${usersByEvents(negation, scope)})`
  return sql`${user} IN (${usersAmongAll(rule, scope)})`
}

type Holds = 'always' | 'never' | 'depends'

const OPPOSITES: Readonly<Record<Holds, Holds>> = { always: 'never', never: 'always', depends: 'depends' }

/** Whether a rule holds for users without any matching event; for traits and lists that depends on the user. */
function holdsWithoutEvents(rule: CohortRule): Holds {
  switch (rule.kind) {
    case 'performed':
      return isCount(0n, rule.count) ? 'always' : 'never'
    case 'first_performed':
      return 'never'
    case 'trait':
    case 'listed':
      return 'depends'
    case 'not':
      return OPPOSITES[holdsWithoutEvents(rule.of)]
    case 'all':
    case 'any': {
      const decisive = rule.kind === 'all' ? 'never' : 'always'
      const parts = new Set(rule.of.map(holdsWithoutEvents))
      if (parts.has(decisive)) return decisive
      return parts.has('depends') ? 'depends' : OPPOSITES[decisive]
    }
    default:
      return rule satisfies never
  }
}

function isCount(number: bigint, { operator, value }: CountRule): boolean {
  if (operator === 'at_least') return number >= value
  return operator === 'at_most' ? number <= value : number === value
}

/** `SELECT user`: the users with an event of a kind that the rule names for whom the rule holds. */
function usersByEvents(rule: CohortRule, scope: CohortScope): Sql {
  const scan = planScan(rule, scope)
  return sql`SELECT user FROM (${countsByUser(scan, scope)}) WHERE ${ruleSql(rule, scan, scope)}`
}

/** `SELECT user`: the users of the project for whom the rule holds. */
function usersAmongAll(rule: CohortRule, scope: CohortScope): Sql {
  const scan = planScan(rule, scope)
  const none = join(
    scan.facts.map(() => sql`0`),
    sql`, `,
  )
  const names = scan.facts.map((_, index) => numbered('state', index))
  const sums = join(
    names.map((name) => sql`sum(counted.${name}) AS ${name}`),
    sql`, `,
  )
  const counted = sql`${countsByUser(scan, scope)} UNION ALL SELECT user, ${none} FROM (${everyUser(scope)})`
  const totals = sql`SELECT user, ${sums} FROM (${counted}) AS counted GROUP BY user`
  return sql`SELECT user FROM (${totals}) WHERE ${ruleSql(rule, scan, scope)}`
}

/** One scan of events for all rules about them. */
interface Scan {
  /** Conditions on an event; the matching events of each user are counted. */
  readonly facts: readonly Sql[]
  /** The place of the first fact of each rule. */
  readonly placeOf: ReadonlyMap<EventRule, number>
  readonly range: RangeMs
  readonly kinds: readonly string[] | undefined
}

function planScan(rule: CohortRule, scope: CohortScope): Scan {
  const rules = [...new Set(eventRulesOf(rule))]
  const windows = rules.map(({ window, kind }) => clampWindow(window, kind))
  const range = {
    fromMs: Math.min(...windows.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...windows.map(({ toMs }) => toMs)),
  }
  const covered = { range, kinds: unionOfKinds(rules.map(({ event }) => event)) }
  const facts: Sql[] = []
  const placeOf = new Map<EventRule, number>()
  for (const each of rules) {
    placeOf.set(each, facts.length)
    facts.push(...factsOf(each, { ...covered, projectId: scope.projectId }, scope))
  }
  return { ...covered, facts, placeOf }
}

function eventRulesOf(rule: CohortRule): readonly EventRule[] {
  if (rule.kind === 'performed' || rule.kind === 'first_performed') return [rule]
  if (rule.kind === 'all' || rule.kind === 'any') return rule.of.flatMap(eventRulesOf)
  return rule.kind === 'not' ? eventRulesOf(rule.of) : []
}

/** The part of a window in which events are possible; from the beginning of time for a first event. */
function clampWindow({ fromMs, toMs }: RangeMs, kind: EventRule['kind']): RangeMs {
  const clamp = (ms: number): number => Math.min(Math.max(ms, ALL_TIME.fromMs), ALL_TIME.toMs)
  return { fromMs: kind === 'first_performed' ? ALL_TIME.fromMs : clamp(fromMs), toMs: clamp(toMs) }
}

/** The matching events in the window, and for a first event also those before it. */
function factsOf({ event, window, kind }: EventRule, rows: RowScope, scope: CohortScope): readonly Sql[] {
  const { fromMs, toMs } = clampWindow(window, 'performed')
  const matches = matchesOf(event, rows, scope)
  const isLate = fromMs > rows.range.fromMs
  const inWindow = [
    ...matches,
    ...(isLate ? [sql`time >= ${instant(fromMs)}`] : []),
    ...(toMs < rows.range.toMs ? [sql`time < ${instant(toMs)}`] : []),
  ]
  if (kind === 'performed') return [allOf(inWindow)]
  return [allOf(inWindow), isLate ? allOf([...matches, sql`time < ${instant(fromMs)}`]) : sql`0`]
}

function matchesOf(match: EventMatch, rows: RowScope, { conditionSql }: CohortScope): Sql[] {
  const { condition } = match
  const isEvery = condition.kind === 'all' && condition.of.length === 0
  return [...kindConditions(match), ...(isEvery ? [] : [conditionSql(condition, { rows, user: USER_KEY })])]
}

/** `SELECT user, state0, state1, ...`: the number of events of each fact, by user. */
function countsByUser({ facts, range, kinds }: Scan, { projectId, within }: CohortScope): Sql {
  const [only] = facts
  const events = scopedEvents(narrow({ projectId, ...range, kinds }, within))
  if (facts.length === 1 && only)
    return sql`SELECT ${USER_KEY} AS user, count() AS state0 ${events} AND ${NOT_COOKIELESS} AND ${only} GROUP BY user`
  const states = facts.map((fact, index) => sql`countIf(${fact}) AS ${numbered('state', index)}`)
  return sql`SELECT ${USER_KEY} AS user, ${join(states, sql`, `)} ${events} AND ${NOT_COOKIELESS} GROUP BY user`
}

function narrow(scope: EventScope, within: CohortScope['within']): EventScope {
  if (!within) return scope
  const { userHashes } = within.events
  const fromMs = Math.max(scope.fromMs, within.events.fromMs)
  return { ...scope, fromMs, toMs: Math.max(fromMs, Math.min(scope.toMs, within.events.toMs)), userHashes }
}

/** The rule as a condition on a row of {@link countsByUser}. */
function ruleSql(rule: CohortRule, scan: Scan, scope: CohortScope): Sql {
  switch (rule.kind) {
    case 'performed':
    case 'first_performed':
      return countedSql(rule, scan.placeOf.get(rule) ?? 0)
    case 'trait':
    case 'listed':
      return withoutEventsSql(rule, sql`user`, scope)
    case 'all':
      return allOf(rule.of.map((part) => ruleSql(part, scan, scope)))
    case 'any':
      return anyOf(rule.of.map((part) => ruleSql(part, scan, scope)))
    case 'not':
      return sql`NOT (${ruleSql(rule.of, scan, scope)})`
    default:
      return rule satisfies never
  }
}

const COMPARISONS: { readonly [O in CountRule['operator']]: Sql } = {
  at_least: sql`>=`,
  at_most: sql`<=`,
  exactly: sql`=`,
}

function countedSql(rule: EventRule, place: number): Sql {
  const count = numbered('state', place)
  if (rule.kind === 'first_performed') return sql`(${count} > 0 AND ${numbered('state', place + 1)} = 0)`
  const { operator, value } = rule.count
  return sql`${count} ${COMPARISONS[operator]} ${param(bigintCodec, value)}`
}
