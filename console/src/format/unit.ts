import { writeTick, writeValue } from '@domain/charts/formats.ts'
import type { Unit } from '@domain/charts/value-axis.ts'
import { formats, NO_VALUE } from './values.ts'

export type { Unit } from '@domain/charts/value-axis.ts'

/** Writes a value in the viewer's way. */
export function formatValue(value: number, unit: Unit): string {
  return writeValue(value, unit, formats)
}

/** Writes a value of an axis; zero needs no unit, except among percentages. */
export function formatTick(value: number, unit: Unit): string {
  return writeTick(value, unit, formats)
}

/** Writes a value, or a dash where there is none. */
export function formatKnown(value: number | null | undefined, unit: Unit): string {
  return typeof value === 'number' ? formatValue(value, unit) : NO_VALUE
}
