import type { Unit } from './value-axis.ts'

/** The sign for a missing value. */
export const NO_VALUE = '—'

/** The least share that one decimal shows. */
const SHARE_MIN = 0.001

/** Writes values and times of charts in a language. */
export interface ChartFormats {
  number(value: number | bigint): string
  /** A short number, for axes. */
  compact(value: number): string
  /** A share of 1. */
  share(share: number): string
  /** A share of 1 in little room, as on an axis. */
  shortShare(share: number): string
  /** A number of percentage points. */
  points(value: number): string
  /** A duration in its two largest units: `2h 5m`. */
  seconds(seconds: number): string
  /** A short duration, for axes: its largest unit. */
  shortSeconds(seconds: number): string
  /** The format of times in a style and a zone. */
  times(style: Intl.DateTimeFormatOptions & { readonly timeZone: string }): Intl.DateTimeFormat
}

/** Creates the formats of a language; each is made when it is first used, because together they take some ten milliseconds. */
export function createChartFormats(locale: string): ChartFormats {
  const number = numberFormat(locale, { maximumFractionDigits: 2 })
  const compact = numberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const
  const percent = numberFormat(locale, { style: 'percent', ...oneDigit })
  const points = numberFormat(locale, oneDigit)
  const shortPercent = numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  return {
    number: (value) => number().format(value),
    compact: (value) => compact().format(value),
    share: (share) => {
      if (!Number.isFinite(share)) return NO_VALUE
      return share > 0 && share < SHARE_MIN ? `<${percent().format(SHARE_MIN)}` : percent().format(share)
    },
    shortShare: (share) => shortPercent().format(share),
    points: (value) => points().format(value),
    seconds: (seconds) => writeSeconds(seconds, number()),
    shortSeconds: (seconds) => writeShortSeconds(seconds, number()),
    times: createTimeFormats(locale),
  }
}

function numberFormat(locale: string, options: Intl.NumberFormatOptions): () => Intl.NumberFormat {
  let format: Intl.NumberFormat | undefined
  return () => {
    format ??= new Intl.NumberFormat(locale, options)
    return format
  }
}

function writeSeconds(seconds: number, number: Intl.NumberFormat): string {
  // Rounded to the smaller unit before the split: otherwise an hour could have 60 minutes.
  const tenths = Math.round(seconds * 10)
  if (tenths < 600) return `${number.format(tenths / 10)}s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${whole % 60}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
  const hours = Math.round(seconds / 3600)
  return `${Math.floor(hours / 24)}d ${hours % 24}h`
}

function writeShortSeconds(seconds: number, number: Intl.NumberFormat): string {
  const inUnits = (unitSeconds: number): number => Math.round((seconds / unitSeconds) * 10) / 10
  if (inUnits(1) < 60) return `${number.format(inUnits(1))}s`
  if (inUnits(60) < 60) return `${number.format(inUnits(60))}m`
  if (inUnits(3600) < 24) return `${number.format(inUnits(3600))}h`
  return `${number.format(inUnits(86_400))}d`
}

/** Creating a format costs more than a hundred uses of it; a page or a mail has few zones and styles. */
const TIME_FORMATS_MAX = 500

function createTimeFormats(locale: string): ChartFormats['times'] {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (style) => {
    const key = JSON.stringify(style)
    const known = formats.get(key)
    if (known) return known
    const made = new Intl.DateTimeFormat(locale, style)
    if (formats.size < TIME_FORMATS_MAX) formats.set(key, made)
    return made
  }
}

interface Writer {
  readonly full: (value: number, formats: ChartFormats) => string
  /** In little room, as on an axis. */
  readonly short: (value: number, formats: ChartFormats) => string
}

const WRITERS = {
  number: { full: (value, { number }) => number(value), short: (value, { compact }) => compact(value) },
  compact: { full: (value, { compact }) => compact(value), short: (value, { compact }) => compact(value) },
  percent: {
    full: (value, { share }) => share(value / 100),
    short: (value, { shortShare }) => shortShare(value / 100),
  },
  seconds: {
    full: (value, { seconds }) => seconds(value),
    short: (value, { shortSeconds }) => shortSeconds(value),
  },
  milliseconds: {
    full: (value, { seconds }) => seconds(value / 1000),
    short: (value, { shortSeconds }) => shortSeconds(value / 1000),
  },
} as const satisfies Record<Unit, Writer>

/** Writes a value in its unit. */
export function writeValue(value: number, unit: Unit, formats: ChartFormats): string {
  return WRITERS[unit].full(value, formats)
}

/** Writes a value of an axis; zero needs no unit, except among percentages. */
export function writeTick(value: number, unit: Unit, formats: ChartFormats): string {
  return value === 0 && unit !== 'percent' ? formats.number(0) : WRITERS[unit].short(value, formats)
}

/** Hours and minutes in a zone. */
export function writeShortTime(ms: number, timeZone: string, { times }: ChartFormats): string {
  return times({ timeStyle: 'short', timeZone }).format(ms)
}

/** A short day in a zone, without its year. */
export function writeShortDay(ms: number, timeZone: string, { times }: ChartFormats): string {
  return times({ day: 'numeric', month: 'short', timeZone }).format(ms)
}

/** A short month in a zone, without its year. */
export function writeShortMonth(ms: number, timeZone: string, { times }: ChartFormats): string {
  return times({ month: 'short', timeZone }).format(ms)
}
