import type { MessageInitShape } from '@bufbuild/protobuf'
import type { StepTimingSchema } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { divide } from './metrics.ts'

/** Labels with their exclusive upper bounds in seconds; the last has none. */
const TIMING_BUCKETS = [
  { label: '0-30s', upperSeconds: 30 },
  { label: '30s-2m', upperSeconds: 120 },
  { label: '2-5m', upperSeconds: 300 },
  { label: '5-15m', upperSeconds: 900 },
  { label: '15-60m', upperSeconds: 3600 },
  { label: '1-6h', upperSeconds: 21_600 },
  { label: '6-24h', upperSeconds: 86_400 },
  { label: '24h+', upperSeconds: undefined },
] as const

/** Timing of a step from each user's time since the step before, in milliseconds. */
export function timeStep(deltasMs: readonly number[]): MessageInitShape<typeof StepTimingSchema> {
  const sorted = deltasMs.toSorted((left, right) => left - right)
  return {
    avg: durationOf(
      divide({ part: sorted.reduce((total, delta) => total + delta, 0), whole: sorted.length }),
    ),
    median: durationOf(medianOf(sorted)),
    p95: durationOf(sorted[Math.ceil((95 * sorted.length) / 100) - 1] ?? 0),
    distribution: TIMING_BUCKETS.map(({ label, upperSeconds }, index) => ({
      label,
      ...(upperSeconds === undefined ? {} : { upperBound: durationOf(upperSeconds * 1000) }),
      count: BigInt(sorted.filter((delta) => timingBucket(delta) === index).length),
    })),
  }
}

/** A duration of fractional milliseconds, rounded to the nanosecond. */
export function durationOf(ms: number): { readonly seconds: bigint; readonly nanos: number } {
  const wholeMs = Math.floor(ms)
  const nanos = (wholeMs % 1000) * 1e6 + Math.round((ms - wholeMs) * 1e6)
  const carry = nanos === 1e9 ? 1 : 0
  return { seconds: BigInt(Math.floor(wholeMs / 1000) + carry), nanos: nanos - carry * 1e9 }
}

function timingBucket(deltaMs: number): number {
  return TIMING_BUCKETS.findIndex(
    ({ upperSeconds }) => upperSeconds === undefined || deltaMs < upperSeconds * 1000,
  )
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return divide({ part: middle.reduce((total, delta) => total + delta, 0), whole: middle.length })
}
