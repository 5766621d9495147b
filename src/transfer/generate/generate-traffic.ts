import { Prng } from '../../kernel/prng.ts'
import { createVisitor, type Visitor } from './audience.ts'
import { retentionAfter, shareOfDay, timeOfDay, weightOfDay } from './rhythm.ts'
import { type Action, makeVisit, type Stage } from './visit.ts'

/** The traffic to generate. */
export interface TrafficOptions {
  readonly seed: number
  readonly users: number
  readonly events: number
  /** Milliseconds since the Unix epoch, inclusive. */
  readonly fromMs: number
  /** Milliseconds since the Unix epoch, exclusive. */
  readonly toMs: number
}

const DAY_MS = 86_400_000

/** Mean events of a visit: page views, and a step in some visits. */
const EVENTS_PER_VISIT = 4.4

/** Planned visits per needed visit: the surplus lets the selected ones follow the traffic curve closely. */
const SURPLUS = 1.6

interface Visit {
  readonly visitor: number
  readonly startMs: number
}

/** A day in UTC, or the part of one that lies in the range. */
interface Day {
  readonly startMs: number
  /** The share of the day's sessions before the range. */
  readonly from: number
  /** The share of the day's sessions within the range. */
  readonly share: number
  /** The share of all events before the day. */
  readonly before: number
  /** The share of all events on the day. */
  readonly ofAll: number
}

/** State of each visitor, by number. */
interface Population {
  readonly visitors: (Visitor | undefined)[]
  readonly stages: Stage[]
  readonly visits: Uint32Array
}

/**
 * Generates the traffic of a shop in ascending order of time: visitors arrive, return less and less often, follow the rhythm
 * of days and weeks, and some of them sign up, start a trial and buy. Deterministic for equal options.
 */
export function* generateTraffic(options: TrafficOptions): Iterable<Action> {
  const prng = new Prng(options.seed)
  const population: Population = {
    visitors: Array.from({ length: options.users }, (_, number) => createVisitor(options.seed, number)),
    stages: new Array(options.users).fill('visitor'),
    visits: new Uint32Array(options.users),
  }
  let made = 0
  let left = options.events
  let pending: Action[] = []
  for (const visit of visitsOf(options, population, prng, () => made)) {
    const [due, later] = splitAt(pending, visit.startMs)
    for (const action of due) if (left-- > 0) yield action
    const actions = actionsOf(options, visit, population, prng)
    made += actions.length
    pending = merge(later, actions)
  }
  for (const action of pending) if (left-- > 0) yield action
}

/** Selects visits in ascending order of time: each one while fewer events exist than the traffic curve demands by then. */
function* visitsOf(
  options: TrafficOptions,
  population: Population,
  prng: Prng,
  countMade: () => number,
): Iterable<Visit> {
  let lastMs = options.fromMs
  for (const day of planDays(options, population)) {
    for (const visit of planDay(options, { day, population, prng })) {
      if (countMade() >= options.events * curveAt(day, visit.startMs)) continue
      lastMs = visit.startMs
      yield visit
    }
  }
  // The end of the range truncates the last visits; additional ones make up for the lost events.
  while (countMade() < options.events) {
    lastMs += Math.floor(prng.unit() * (options.toMs - lastMs))
    yield { visitor: prng.below(options.users), startMs: lastMs }
  }
}

function actionsOf(
  { seed, fromMs, toMs }: TrafficOptions,
  visit: Visit,
  population: Population,
  prng: Prng,
): readonly Action[] {
  const { visitor: number, startMs } = visit
  const visitor = population.visitors[number]
  const count = population.visits[number] ?? 0
  if (visitor === undefined) return []
  const { actions, stage } = makeVisit(
    {
      visitor,
      startMs,
      stage: population.stages[number] ?? 'visitor',
      isFirst: count === 0,
      name: `${seed}\0${fromMs}\0${number}\0${count}`,
    },
    prng,
  )
  population.stages[number] = stage
  population.visits[number] = count + 1
  return actions.filter(({ timeMs }) => timeMs < toMs)
}

/** The days of the range with their shares of all events, which follow from the visitors who have arrived and return. */
function planDays(options: TrafficOptions, { visitors }: Population): readonly Day[] {
  const days = daysOf(options).map((startMs) => {
    const from = shareOfDay(startMs, options.fromMs)
    const share = Math.max(shareOfDay(startMs, options.toMs) - from, 0)
    let weight = 0
    for (const visitor of visitors) if (visitor) weight += weigh(options, visitor, startMs)
    // A day without expected visits still belongs to the range.
    return { startMs, from, share, weight: Math.max(weight, Number.EPSILON) * share }
  })
  const sum = Math.max(
    days.reduce((total, { weight }) => total + weight, 0),
    Number.EPSILON,
  )
  let before = 0
  return days.map((day) => {
    const planned = { ...day, before: before / sum, ofAll: day.weight / sum }
    before += day.weight
    return planned
  })
}

/** The traffic curve: the share of all events up to a time. */
function curveAt({ startMs, before, ofAll, from, share }: Day, timeMs: number): number {
  return before + (share === 0 ? ofAll : (ofAll * (shareOfDay(startMs, timeMs) - from)) / share)
}

/** Candidate visits of a day, in ascending order of their start. */
function planDay(
  options: TrafficOptions,
  plan: { readonly day: Day; readonly population: Population; readonly prng: Prng },
): readonly Visit[] {
  const { day, population, prng } = plan
  const wanted = (options.events * day.ofAll * SURPLUS) / EVENTS_PER_VISIT
  const weights = population.visitors.map((visitor) => (visitor ? weigh(options, visitor, day.startMs) : 0))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const visits: Visit[] = []
  for (const [visitor, weight] of weights.entries()) {
    const mean = sum === 0 ? wanted / weights.length : (wanted * weight) / sum
    const count = Math.floor(mean) + (prng.chance(mean - Math.floor(mean)) ? 1 : 0)
    for (let index = 0; index < count; index++) {
      const startMs = timeOfDay(day.startMs, day.from + prng.unit() * day.share)
      if (startMs >= options.fromMs && startMs < options.toMs) visits.push({ visitor, startMs })
    }
  }
  return visits.sort((left, right) => left.startMs - right.startMs || left.visitor - right.visitor)
}

/** Relative number of visits that a visitor makes on a day. */
function weigh({ fromMs, toMs }: TrafficOptions, { arrival, activity }: Visitor, dayMs: number): number {
  const arrivedMs = fromMs + arrival * (toMs - fromMs)
  const days = (dayMs + DAY_MS - arrivedMs) / DAY_MS
  return days < 0 ? 0 : activity * retentionAfter(days) * weightOfDay(dayMs)
}

function daysOf({ fromMs, toMs }: TrafficOptions): readonly number[] {
  const first = Math.floor(fromMs / DAY_MS) * DAY_MS
  return Array.from({ length: Math.ceil((toMs - first) / DAY_MS) }, (_, index) => first + index * DAY_MS)
}

/** Splits pending actions into those before a time and the others; both stay in order. */
function splitAt(actions: readonly Action[], timeMs: number): readonly [Action[], Action[]] {
  const at = actions.findIndex((action) => action.timeMs >= timeMs)
  return at < 0 ? [[...actions], []] : [actions.slice(0, at), actions.slice(at)]
}

function merge(left: readonly Action[], right: readonly Action[]): Action[] {
  return [...left, ...right].sort((one, other) => one.timeMs - other.timeMs)
}
