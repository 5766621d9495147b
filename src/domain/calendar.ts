import type { RangeMs } from './time-ranges.ts'

/** A first and a last day of a calendar, as `2026-01-31`. */
export interface Days {
  readonly from: string
  readonly to: string
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** Whether a text is a date of the calendar. */
export function isDate(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return DATE.test(text) && !Number.isNaN(ms) && dateOf(ms, 'UTC') === text
}

/** The range from the start of the first day to the end of the last, in a time zone. */
export function rangeOfDays({ from, to }: Days, timeZone: string): RangeMs {
  return { fromMs: startOfDate(from, timeZone), toMs: startOfDate(shiftDate(to, 1), timeZone) }
}

/** The date of an instant in a time zone. */
export function dateOf(ms: number, timeZone: string): string {
  return writeDate(partsOf(ms, timeZone))
}

/** The date that many days later; earlier for a negative count. */
export function shiftDate(date: string, days: number): string {
  return dateOf(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS, 'UTC')
}

/** The local time of a time zone at an instant, as `YYYY-MM-DDTHH:mm`. */
export function readWallClock(ms: number, timeZone: string): string {
  const parts = partsOf(ms, timeZone)
  return `${writeDate(parts)}T${pad(parts.hour)}:${pad(parts.minute)}`
}

/**
 * The instant of a local time `YYYY-MM-DDTHH:mm`; `undefined` for any other text. A local time that the clocks skip gives
 * an instant near the change, one that they repeat gives either instant.
 */
export function parseWallClock(text: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const guess = asUtc - wallClockOffset(asUtc, timeZone)
  return asUtc - wallClockOffset(guess, timeZone)
}

function wallClockOffset(ms: number, timeZone: string): number {
  const minute = Math.floor(ms / MINUTE_MS) * MINUTE_MS
  return Date.parse(`${readWallClock(minute, timeZone)}Z`) - minute
}

/** The first instant of a date; where the clocks skip midnight, the first one after the gap. */
function startOfDate(date: string, timeZone: string): number {
  return instantOf({ date, minute: 0 }, timeZone)
}

/**
 * The instant of a minute of a date, counted from midnight on the wall clock. A local time that the clocks skip moves
 * forward by the gap, one that they repeat is the first.
 */
export function instantOf(
  { date, minute }: { readonly date: string; readonly minute: number },
  timeZone: string,
): number {
  const local = Date.parse(`${date}T00:00:00Z`) + minute * MINUTE_MS
  const offsets = [offsetMs(local - DAY_MS, timeZone), offsetMs(local + DAY_MS, timeZone)]
  const instants = offsets.map((offset) => local - offset).sort((a, b) => a - b)
  return instants.find((ms) => ms + offsetMs(ms, timeZone) >= local) ?? local
}

/** Milliseconds that a zone is ahead of UTC. */
function offsetMs(ms: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = partsOf(ms, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
type Part = (typeof PARTS)[number]
type Parts = Readonly<Record<Part, number>>

function writeDate({ year, month, day }: Parts): string {
  return `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`
}

function partsOf(ms: number, timeZone: string): Parts {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type as string, value]),
  )
  const read = (part: Part): number => Number(parts.get(part) ?? 0)
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
  }
}

/** Creating a format costs more than a hundred uses of it; a process or a page sees few zones. */
const formats = new Map<string, Intl.DateTimeFormat>()
const FORMATS_MAX = 1000

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone)
  if (cached) return cached
  const numeric = Object.fromEntries(PARTS.map((part) => [part, 'numeric']))
  const created = new Intl.DateTimeFormat('en-US', {
    ...numeric,
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
  })
  if (formats.size < FORMATS_MAX) formats.set(timeZone, created)
  return created
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
