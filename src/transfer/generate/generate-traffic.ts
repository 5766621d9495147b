import { Prng } from '../../kernel/prng.ts'
import { createVisitor, type Visitor } from './audience.ts'
import { retentionAfter, shareOfDay, timeOfDay, weightOfDay } from './rhythm.ts'
import { type Deed, makeVisit, type Stage } from './visit.ts'

/** The traffic to be made. */
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

/** Mean of the pages of a visit, and the step that some have. */
const EVENTS_PER_VISIT = 4.4

/** More visits are planned than are needed, so that the ones that take place follow the course of traffic closely. */
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
  /** The share of all events before the day, and on it. */
  readonly before: number
  readonly ofAll: number
}

/** What is known of each visitor while time goes by. */
interface Memory {
  readonly visitors: (Visitor | undefined)[]
  readonly stages: Stage[]
  readonly visits: Uint32Array
}

/**
 * Makes traffic of a shop in the order of time: visitors who arrive, come back less and less, follow the rhythm of days and
 * weeks, and partly sign up, try and buy. The same options make the same traffic.
 */
export function* generateTraffic(options: TrafficOptions): Iterable<Deed> {
  const prng = new Prng(options.seed)
  const memory: Memory = {
    visitors: Array.from({ length: options.users }, (_, number) => createVisitor(options.seed, number)),
    stages: new Array(options.users).fill('visitor'),
    visits: new Uint32Array(options.users),
  }
  let made = 0
  let left = options.events
  let waiting: Deed[] = []
  for (const visit of visitsOf(options, memory, prng, () => made)) {
    const [due, later] = split(waiting, visit.startMs)
    for (const deed of due) if (left-- > 0) yield deed
    const deeds = visitOf(options, visit, memory, prng)
    made += deeds.length
    waiting = merge(later, deeds)
  }
  for (const deed of waiting) if (left-- > 0) yield deed
}

/** The visits that take place, in the order of time: each one when the course of traffic is ahead of what was made so far. */
function* visitsOf(
  options: TrafficOptions,
  memory: Memory,
  prng: Prng,
  countMade: () => number,
): Iterable<Visit> {
  let lastMs = options.fromMs
  for (const day of planDays(options, memory)) {
    for (const visit of planDay(options, { day, memory, prng })) {
      if (countMade() >= options.events * courseAt(day, visit.startMs)) continue
      lastMs = visit.startMs
      yield visit
    }
  }
  // The end of the range cuts the last visits short: a few more make up for that.
  while (countMade() < options.events) {
    lastMs += Math.floor(prng.unit() * (options.toMs - lastMs))
    yield { visitor: prng.below(options.users), startMs: lastMs }
  }
}

function visitOf(
  { seed, fromMs, toMs }: TrafficOptions,
  visit: Visit,
  memory: Memory,
  prng: Prng,
): readonly Deed[] {
  const { visitor: number, startMs } = visit
  const visitor = memory.visitors[number]
  const count = memory.visits[number] ?? 0
  if (visitor === undefined) return []
  const { deeds, stage } = makeVisit(
    {
      visitor,
      startMs,
      stage: memory.stages[number] ?? 'visitor',
      isFirst: count === 0,
      name: `${seed}\0${fromMs}\0${number}\0${count}`,
    },
    prng,
  )
  memory.stages[number] = stage
  memory.visits[number] = count + 1
  return deeds.filter(({ timeMs }) => timeMs < toMs)
}

/** The days of the range with their weights: how busy each is follows from who has arrived and comes back. */
function planDays(options: TrafficOptions, { visitors }: Memory): readonly Day[] {
  const days = daysOf(options).map((startMs) => {
    const from = shareOfDay(startMs, options.fromMs)
    const share = Math.max(shareOfDay(startMs, options.toMs) - from, 0)
    let weight = 0
    for (const visitor of visitors) if (visitor) weight += weigh(options, visitor, startMs)
    // Also a day on which nobody is likely to come is a part of the range.
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

/** The share of all events that belongs to the time up to this one. */
function courseAt({ startMs, before, ofAll, from, share }: Day, timeMs: number): number {
  return before + (share === 0 ? ofAll : (ofAll * (shareOfDay(startMs, timeMs) - from)) / share)
}

/** The visits that may take place on a day, by their start. */
function planDay(
  options: TrafficOptions,
  plan: { readonly day: Day; readonly memory: Memory; readonly prng: Prng },
): readonly Visit[] {
  const { day, memory, prng } = plan
  const wanted = (options.events * day.ofAll * SURPLUS) / EVENTS_PER_VISIT
  const weights = memory.visitors.map((visitor) => (visitor ? weigh(options, visitor, day.startMs) : 0))
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

/** How many visits of a visitor a day may expect, compared with others. */
function weigh({ fromMs, toMs }: TrafficOptions, { arrival, activity }: Visitor, dayMs: number): number {
  const arrivedMs = fromMs + arrival * (toMs - fromMs)
  const days = (dayMs + DAY_MS - arrivedMs) / DAY_MS
  return days < 0 ? 0 : activity * retentionAfter(days) * weightOfDay(dayMs)
}

function daysOf({ fromMs, toMs }: TrafficOptions): readonly number[] {
  const first = Math.floor(fromMs / DAY_MS) * DAY_MS
  return Array.from({ length: Math.ceil((toMs - first) / DAY_MS) }, (_, index) => first + index * DAY_MS)
}

/** Deeds of visits that go on while others begin; both are in the order of time. */
function split(deeds: readonly Deed[], beforeMs: number): readonly [Deed[], Deed[]] {
  const at = deeds.findIndex(({ timeMs }) => timeMs >= beforeMs)
  return at < 0 ? [[...deeds], []] : [deeds.slice(0, at), deeds.slice(at)]
}

function merge(left: readonly Deed[], right: readonly Deed[]): Deed[] {
  return [...left, ...right].sort((one, other) => one.timeMs - other.timeMs)
}
