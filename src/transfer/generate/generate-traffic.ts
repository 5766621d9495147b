import { Prng } from '../../kernel/prng.ts'
import { createVisitor, type Visitor } from './audience.ts'
import { retentionAfter, timeOfDay, weightOfDay } from './rhythm.ts'
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

/** What chance takes away; what is too much is left out at the end. */
const SURPLUS = 1.25

interface Visit {
  readonly visitor: number
  readonly startMs: number
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
  const visitsPerWeight = (options.events * SURPLUS) / EVENTS_PER_VISIT / weighAll(options, memory)
  let left = options.events
  let waiting: Deed[] = []
  for (const startMs of daysOf(options)) {
    for (const visit of planDay(options, { startMs, visitsPerWeight, memory, prng })) {
      const [due, later] = split(waiting, visit.startMs)
      for (const deed of due) if (left-- > 0) yield deed
      if (left <= 0) return
      waiting = merge(later, visitOf(options, visit, memory, prng))
    }
  }
  for (const deed of waiting) if (left-- > 0 && deed.timeMs < options.toMs) yield deed
}

function visitOf(
  { seed, fromMs }: TrafficOptions,
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
  return deeds
}

/** The visits of a day, by their start. */
function planDay(
  options: TrafficOptions,
  day: {
    readonly startMs: number
    readonly visitsPerWeight: number
    readonly memory: Memory
    readonly prng: Prng
  },
): readonly Visit[] {
  const { startMs, visitsPerWeight, memory, prng } = day
  const visits: Visit[] = []
  for (const visitor of memory.visitors) {
    if (visitor === undefined) continue
    const mean = visitsPerWeight * weigh(options, visitor, startMs)
    const count = Math.floor(mean) + (prng.chance(mean - Math.floor(mean)) ? 1 : 0)
    for (let index = 0; index < count; index++) {
      const at = timeOfDay(startMs, prng.unit())
      if (at >= options.fromMs && at < options.toMs) visits.push({ visitor: visitor.number, startMs: at })
    }
  }
  return visits.sort((left, right) => left.startMs - right.startMs || left.visitor - right.visitor)
}

function weighAll(options: TrafficOptions, { visitors }: Memory): number {
  let sum = 0
  for (const startMs of daysOf(options)) {
    const share = Math.min(startMs + DAY_MS, options.toMs) - Math.max(startMs, options.fromMs)
    for (const visitor of visitors) if (visitor) sum += (weigh(options, visitor, startMs) * share) / DAY_MS
  }
  return Math.max(sum, Number.EPSILON)
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
