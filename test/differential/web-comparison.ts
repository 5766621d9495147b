import { CalendarUnit, type Comparison } from '../../src/contract/gen/millrace/insights/v1/comparison_pb.js'
import type { MsRange } from './model.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The range that a request compares with. */
export function comparedRange(
  { compareTo }: { readonly compareTo?: Comparison | undefined },
  { fromMs, toMs }: MsRange,
  timeZone: string,
): MsRange | undefined {
  if (compareTo === undefined) return undefined
  if (compareTo.with.case === 'previousPeriod') return { fromMs: fromMs - (toMs - fromMs), toMs: fromMs }
  if (compareTo.with.case !== 'shift') throw new RangeError('a comparison with nothing')
  const { unit, count } = compareTo.with.value
  const shift = (ms: number): number =>
    findInstant(shiftClock(readClock(ms, timeZone), unit, count), timeZone)
  return { fromMs: shift(fromMs), toMs: shift(toMs) }
}

/** A clock and a calendar on the wall, as if the place were at UTC. */
function readClock(ms: number, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const read = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? Number.NaN
  const wholeSecond = Date.UTC(
    read('year'),
    read('month') - 1,
    read('day'),
    read('hour'),
    read('minute'),
    read('second'),
  )
  return wholeSecond + (((ms % 1000) + 1000) % 1000)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

function shiftClock(clock: number, unit: CalendarUnit, count: number): number {
  if (unit === CalendarUnit.DAY) return clock - count * DAY_MS
  if (unit === CalendarUnit.WEEK) return clock - count * 7 * DAY_MS
  const months = unit === CalendarUnit.YEAR ? 12 * count : count
  const shifted = new Date(clock)
  const day = shifted.getUTCDate()
  shifted.setUTCDate(1)
  shifted.setUTCMonth(shifted.getUTCMonth() - months)
  const month = shifted.getUTCMonth()
  shifted.setUTCDate(day)
  // The month was shorter, so that the date ran over into the next one.
  if (shifted.getUTCMonth() !== month) shifted.setUTCDate(0)
  return shifted.getTime()
}

/** The first instant at which the wall shows the clock; in a gap, the one that is as far after its start. */
function findInstant(clock: number, timeZone: string): number {
  const offsets = new Set<number>()
  for (let ms = clock - 3 * DAY_MS; ms <= clock + 3 * DAY_MS; ms += HOUR_MS / 2) {
    offsets.add(readClock(ms, timeZone) - ms)
  }
  const instants = [...offsets].map((offset) => clock - offset)
  const shown = instants.filter((ms) => readClock(ms, timeZone) === clock)
  // The offset before a gap is the smaller one, which gives the later instant.
  return shown.length > 0 ? Math.min(...shown) : Math.max(...instants)
}
