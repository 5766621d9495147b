import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { join, numbered, type Sql, sql } from '../../sql/sql.ts'
import { areDisjoint, integer } from './attempts.ts'
import { isHeld, listNames } from './marks.ts'
import { type EventCodes, eventCodes } from './sorted-events.ts'

// Attempts of events that are single numbers: the time of an event, and below it a bit for each exclusion and each step, 0 where
// it matches. Excluded events therefore come first in their millisecond. Bit 0 is that of the last step.

/** Beyond this many steps in sequence, the arrays grow too much: each step carries those of all later ones. */
const STEPS_IN_SEQUENCE_MAX = 8

/** Whether the codes of events alone decide about the attempts of a funnel, so that places and marks are not needed. */
export function hasCodedAttempts(query: FunnelQuery, { width }: EventCodes): boolean {
  const { steps, rules } = query
  const { order, exclusions, optionalSteps, view } = rules
  if (width === 'wide' || view.kind === 'over_time') return false
  if (order === 'strict') return exclusions.length === 0
  const areApart = steps.every((step, index) =>
    steps.slice(index + 1).every((later) => areDisjoint(step, later)),
  )
  return (
    areApart && (order === 'any' || (optionalSteps.length === 0 && steps.length <= STEPS_IN_SEQUENCE_MAX))
  )
}

/** `SELECT user, done, times`, as `pathAttemptsSql` describes them: the earliest of the longest attempts that are not void. */
export function codedAttempts(query: FunnelQuery, context: InsightContext, codes: EventCodes): Sql {
  const attempts = attemptsOf(query, codes, eventCodes(query, context, codes))
  if (!isHeld(query)) return attempts
  // One attempt for each text: the longest counts, and has no times where texts are held.
  return sql`SELECT user, range(max(length(done))) AS done, range(0) AS times FROM (${attempts}) GROUP BY user`
}

function attemptsOf(query: FunnelQuery, codes: EventCodes, users: Sql): Sql {
  const { order } = query.rules
  if (order === 'any') return chooseAttempts(query, codes, nearestEvents(query, users))
  const attempts = order === 'strict' ? followingEvents(query, codes, users) : nextEvents(query, users)
  return chooseAttempts(query, codes, attempts)
}

/** Whether a code has the bit of a step. */
function isOfStep({ steps }: FunnelQuery, step: number, code: Sql = sql`code`): Sql {
  return sql`NOT bitTest(${code}, ${integer(steps.length - 1 - step)})`
}

/** Whether a code has the bit of an exclusion. */
function isExcluded({ steps, rules }: FunnelQuery, exclusion: number, code: Sql = sql`code`): Sql {
  return sql`NOT bitTest(${code}, ${integer(steps.length + rules.exclusions.length - 1 - exclusion)})`
}

/**
 * `SELECT user, begun, chain0, ..., next0, ...`: for each event, as the start of an attempt, its code, that of the event of every
 * step, and that of the first excluded event after the step that its exclusion counts from. A code without the bit stands for no
 * event. Attempts of events that are not of the first step have no level: to leave them out costs more than to follow them.
 * In strict order the event of step N is the Nth one after the start.
 */
function followingEvents(query: FunnelQuery, { flagBits }: EventCodes, users: Sql): Sql {
  const chains = query.steps.slice(1).map((_, index) => {
    const step = index + 1
    return sql`arrayShiftLeft(events, ${integer(step)}, ${integer(2 ** flagBits - 1)}) AS ${numbered('chain', step)}`
  })
  return sql`SELECT user, events AS begun, events AS chain0${listNames(chains)} FROM (${users})`
}

/** In any order, each event starts an attempt, and the event of a step is the nearest one, which may be the start itself. */
function nearestEvents(query: FunnelQuery, users: Sql): Sql {
  const chains = query.steps.map((_, step) => sql`${nearest(query, step)} AS ${numbered('chain', step)}`)
  return sql`SELECT user, events AS begun, ${join(chains, sql`, `)} FROM (${users})`
}

/** For each event the nearest one of a step from there on. */
function nearest(query: FunnelQuery, step: number): Sql {
  return sql`arrayReverseFill(code -> ${isOfStep(query, step)}, events)`
}

/**
 * In sequence. From the last step back, each event receives the next one of the step, and with it what that one has received: the
 * events of the later steps and the excluded ones.
 */
function nextEvents(query: FunnelQuery, users: Sql): Sql {
  const { steps, rules } = query
  const excludedAfter = (step: number) =>
    rules.exclusions.flatMap(({ after }, index) =>
      after === step
        ? [
            {
              name: numbered('next', index),
              items: sql`arrayReverseFill(code -> ${isExcluded(query, index)}, events)`,
            },
          ]
        : [],
    )
  let received: readonly { readonly name: Sql; readonly items: Sql }[] = []
  let statement = users
  for (let step = steps.length - 1; step > 0; step--) {
    const items = [...received, ...excludedAfter(step)].map(
      (item) =>
        sql`, arrayReverseFill((item, code) -> ${isOfStep(query, step)}, ${item.items}, events) AS ${item.name}`,
    )
    statement = sql`SELECT user, events, ${nearest(query, step)} AS ${numbered('chain', step)}${join(items, sql``)} FROM (${statement})`
    const names = [...received, ...excludedAfter(step)].map(({ name }) => name)
    received = [...names, numbered('chain', step)].map((name) => ({ name, items: name }))
  }
  const ofStarts = [
    ...received.map(({ name }) => name),
    ...excludedAfter(0).map(({ name, items }) => sql`${items} AS ${name}`),
  ]
  return sql`SELECT user, events AS begun, events AS chain0${listNames(ofStarts)} FROM (${statement})`
}

/** Chooses the attempt of each user from the arrays of {@link followingEvents}. */
function chooseAttempts(query: FunnelQuery, codes: EventCodes, attempts: Sql): Sql {
  const { steps, rules } = query
  const chains = steps.map((_, step) => numbered('chain', step))
  const nexts = rules.exclusions.map((_, index) => numbered('next', index))
  const values = steps.map((_, step) => numbered('value', step))
  const visits = rules.exclusions.map((_, index) => numbered('visit', index))
  const levels = sql`arrayMap((start${listNames(values)}) -> toUInt8(${levelSql(query, codes)}), begun${listNames(chains)})`
  const scores =
    nexts.length === 0
      ? sql`levels`
      : sql`arrayMap((level, start${listNames(values)}${listNames(visits)}) -> if(${isVoid(query, codes)}, 0, level), levels, begun${listNames(chains)}${listNames(nexts)})`
  const measured = sql`SELECT user, begun${listNames(chains)}${listNames(nexts)}, ${levels} AS levels FROM (${attempts})`
  const chosen = sql`SELECT user, begun${listNames(chains)}, ${scores} AS scores, arrayMax(scores) AS level, indexOf(scores, level) AS chosen FROM (${measured}) WHERE level > 0`
  return sql`SELECT user, range(level) AS done, arrayMap(code -> bitShiftRight(code, ${integer(codes.flagBits)}), ${takenCodes(query, codes)}) AS times FROM (${chosen})`
}

/** The number of steps that an attempt takes. */
function levelSql(query: FunnelQuery, codes: EventCodes): Sql {
  const { steps, rules } = query
  const taken = steps.map((_, step) => isTaken(query, codes, step))
  if (rules.order === 'any')
    return join(
      taken.map((isIn) => sql`(${isIn})`),
      sql` + `,
    )
  const ends = [isOfStep(query, 0, sql`start`), ...taken.slice(1)].map(
    (isIn, index) => sql`NOT (${isIn}), ${integer(index)}, `,
  )
  return sql`multiIf(${join(ends, sql``)}${integer(steps.length)})`
}

/** Whether the event of a step is there and in time: codes are compared whole, because their higher bits are the times. */
function isTaken(query: FunnelQuery, { flagBits }: EventCodes, step: number): Sql {
  const code = numbered('value', step)
  const stepWindowMs = query.rules.stepWindowsMs[step] ?? Number.POSITIVE_INFINITY
  const inWindow = sql` AND ${code} <= ${endOfWindow(sql`start`, query.windowMs, flagBits)}`
  const inStepWindow =
    stepWindowMs < query.windowMs
      ? sql` AND ${code} <= ${endOfWindow(numbered('value', step - 1), stepWindowMs, flagBits)}`
      : sql``
  return sql`${isOfStep(query, step, code)}${inWindow}${inStepWindow}`
}

/** The highest code in the last millisecond of a window. */
function endOfWindow(since: Sql, windowMs: number, flagBits: number): Sql {
  return sql`${lastOfMs(since, flagBits)} + ${integer(windowMs)} * ${integer(2 ** flagBits)}`
}

function lastOfMs(code: Sql, flagBits: number): Sql {
  return sql`bitOr(${code}, ${integer(2 ** flagBits - 1)})`
}

/** Whether an excluded event is before the step that its exclusion ends at, or in the window if that one is not reached. */
function isVoid(query: FunnelQuery, { flagBits }: EventCodes): Sql {
  const each = query.rules.exclusions.map(({ after, before }, index) => {
    const excluded = numbered('visit', index)
    const isBefore = sql`${lastOfMs(excluded, flagBits)} < ${numbered('value', before)}`
    const isInWindow = sql`${excluded} <= ${endOfWindow(sql`start`, query.windowMs, flagBits)}`
    return sql`(level > ${integer(after)} AND ${isExcluded(query, index, excluded)} AND if(level > ${integer(before)}, ${isBefore}, ${isInWindow}))`
  })
  return join(each, sql` OR `)
}

/** The codes of the events of the chosen attempt, ascending. */
function takenCodes(query: FunnelQuery, codes: EventCodes): Sql {
  const chosen = query.steps.map((_, step) => sql`${numbered('chain', step)}[chosen]`)
  const list = join(chosen, sql`, `)
  if (query.rules.order !== 'any') return sql`arraySlice([${list}], 1, level)`
  const inWindow = sql`code <= ${endOfWindow(sql`begun[chosen]`, query.windowMs, codes.flagBits)}`
  const ofSteps = query.steps.map((_, step) => integer(query.steps.length - 1 - step))
  return sql`arraySort(arrayFilter((code, bit) -> NOT bitTest(code, bit) AND ${inWindow}, [${list}], [${join(
    ofSteps.map((bit) => sql`${bit}`),
    sql`, `,
  )}]))`
}
