/** The unit of the numbers of an answer. */
export type Unit = 'number' | 'compact' | 'percent' | 'seconds' | 'milliseconds'

/** Steps of an axis, in the power of ten below. */
const FACTORS = [1, 2, 2.5, 5] as const

/** Steps of an axis of durations, in seconds. */
const DURATION_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
] as const
const DAY_SECONDS = 86_400

/** Values that an axis has to hold. */
export interface ValueBounds {
  readonly min: number
  readonly max: number
  /** Most steps that have room. */
  readonly stepsMax: number
  readonly unit: Unit
  /** Whether the values are counts, which have no ticks between whole numbers. */
  readonly isWhole: boolean
}

/** The ticks of a value axis: from 0, or from below the lowest negative value, to above the highest. */
export function valueTicks({ min, max, stepsMax, unit, isWhole }: ValueBounds): readonly number[] {
  const low = Math.min(0, min)
  const high = Math.max(0, max)
  if (low === 0 && high === 0) return [0, unit === 'percent' ? 100 : 1]
  const countOf = (step: number): number => topOf(high, step, unit) - Math.floor(low / step)
  const isRoom = (step: number): boolean => countOf(step) <= Math.max(2, stepsMax)
  const steps = stepsFrom((high - low) / Math.max(2, stepsMax), unit)
  const step = steps.find((one) => (!isWhole || Number.isInteger(one)) && isRoom(one)) ?? high - low
  const first = Math.floor(low / step)
  return Array.from({ length: countOf(step) + 1 }, (_, at) => clean((first + at) * step))
}

/** Steps below the top of the axis; nothing is above all of something. */
function topOf(high: number, step: number, unit: Unit): number {
  if (high === 0) return 0
  const count = Math.floor(clean(high / step))
  return unit === 'percent' && high <= 100 && count * step === 100 ? count : count + 1
}

/** Candidates from a little below a width, ascending. */
function stepsFrom(width: number, unit: Unit): readonly number[] {
  if (unit === 'seconds') return durationSteps(width)
  if (unit === 'milliseconds') return durationSteps(width / 1000).map((seconds) => seconds * 1000)
  return decimalSteps(width)
}

function decimalSteps(width: number): readonly number[] {
  const exponent = Math.floor(Math.log10(width))
  return [0, 1, 2, 3].flatMap((more) => FACTORS.map((factor) => clean(factor * 10 ** (exponent + more))))
}

function durationSteps(width: number): readonly number[] {
  if (width < 1) return decimalSteps(width)
  return [
    ...DURATION_STEPS,
    ...decimalSteps(Math.max(1, width / DAY_SECONDS)).map((days) => days * DAY_SECONDS),
  ]
}

/** A number without the digits that binary fractions add. */
function clean(value: number): number {
  return Number(value.toPrecision(12))
}

/** The ticks of a logarithmic axis: 0 and powers of ten, to above the highest value. */
export function logTicks(max: number, stepsMax: number): readonly number[] {
  const powers = Math.max(1, Math.floor(Math.log10(Math.max(1, max))) + 1)
  const every = Math.ceil(powers / Math.max(1, stepsMax - 1))
  const count = Math.ceil(powers / every)
  return [0, 1, ...Array.from({ length: count }, (_, at) => 10 ** ((at + 1) * every))]
}
