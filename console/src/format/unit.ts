import {
  formatCompact,
  formatNumber,
  formatSeconds,
  formatShare,
  formatShortSeconds,
  formatShortShare,
  NO_VALUE,
} from './values.ts'

/** The unit of the numbers of an answer. */
export type Unit = 'number' | 'compact' | 'percent' | 'seconds' | 'milliseconds'

interface Writer {
  readonly full: (value: number) => string
  /** In little room, as on an axis. */
  readonly short: (value: number) => string
}

const WRITERS = {
  number: { full: formatNumber, short: formatCompact },
  compact: { full: formatCompact, short: formatCompact },
  percent: { full: (value) => formatShare(value / 100), short: (value) => formatShortShare(value / 100) },
  seconds: { full: formatSeconds, short: formatShortSeconds },
  milliseconds: {
    full: (value) => formatSeconds(value / 1000),
    short: (value) => formatShortSeconds(value / 1000),
  },
} as const satisfies Record<Unit, Writer>

/** Writes a value in the viewer's way. */
export function formatValue(value: number, unit: Unit): string {
  return WRITERS[unit].full(value)
}

/** Writes a value of an axis; zero needs no unit, except among percentages. */
export function formatTick(value: number, unit: Unit): string {
  return value === 0 && unit !== 'percent' ? formatNumber(0) : WRITERS[unit].short(value)
}

/** Writes a value, or a dash where there is none. */
export function formatKnown(value: number | null | undefined, unit: Unit): string {
  return typeof value === 'number' ? formatValue(value, unit) : NO_VALUE
}
