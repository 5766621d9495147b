/** A part of the time, in milliseconds since the Unix epoch, without its end. */
export interface RangeMs {
  readonly fromMs: number
  readonly toMs: number
}

/** Days of a calendar, as `2026-01-31`, the first and the last. */
export interface Days {
  readonly from: string
  readonly to: string
}

const DAY_MS = 86_400_000
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** True for a day that there is. */
export function isDate(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return DATE.test(text) && !Number.isNaN(ms) && dateOf(ms, 'UTC') === text
}

/** The days from the first moment of one to the first moment after the other, as the zone has it. */
export function rangeOfDays({ from, to }: Days, timeZone: string): RangeMs {
  return { fromMs: startOfDate(from, timeZone), toMs: startOfDate(nextDate(to), timeZone) }
}

/** The day that a moment is in. */
export function dateOf(ms: number, timeZone: string): string {
  const { year, month, day } = partsOf(ms, timeZone)
  return `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`
}

/** The day so many days later; before, when negative. */
export function shiftDate(date: string, days: number): string {
  return dateOf(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS, 'UTC')
}

function nextDate(date: string): string {
  return shiftDate(date, 1)
}

/** The first moment of a day; where the clocks skip midnight, the first that they show. */
function startOfDate(date: string, timeZone: string): number {
  const local = Date.parse(`${date}T00:00:00Z`)
  const offsets = [offsetMs(local - DAY_MS, timeZone), offsetMs(local + DAY_MS, timeZone)]
  const moments = offsets.map((offset) => local - offset).sort((a, b) => a - b)
  return moments.find((ms) => ms + offsetMs(ms, timeZone) >= local) ?? local
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetMs(ms: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = partsOf(ms, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
}

function partsOf(ms: number, timeZone: string): Readonly<Record<Part, number>> {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type as string, Number(value)]))
  const read = (part: Part): number => parts.get(part) ?? 0
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
  }
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
