import { monotonicMs } from '../../src/kernel/clock.ts'
import type { BatchConnection } from './http-client.ts'

/** The requests of a steady load, and their connections. */
export interface SteadyLoad {
  readonly connections: readonly BatchConnection[]
  readonly nextBody: () => Buffer
  readonly seconds: number
}

/** The latencies of a load. */
export interface LatencyOutcome {
  /** Milliseconds from the moment in which each request was due to its answer, ascending. */
  readonly latencies: readonly number[]
  /** Answered requests per second. */
  readonly perSecond: number
}

/** How often a steady load looks for what is due. */
const TICK_MS = 1

/** Requests as fast as the service answers them, each connection one at a time. */
export async function sendAtFullSpeed({
  connections,
  nextBody,
  seconds,
}: SteadyLoad): Promise<LatencyOutcome> {
  const startMs = monotonicMs()
  const endMs = startMs + seconds * 1000
  const latencies: number[] = []
  await Promise.all(
    connections.map(async (connection) => {
      while (monotonicMs() < endMs) {
        const sentMs = monotonicMs()
        await new Promise<void>((resolve) => connection.send(nextBody(), () => resolve()))
        latencies.push(monotonicMs() - sentMs)
      }
    }),
  )
  return outcome(latencies, startMs)
}

/**
 * Requests at an even rate, whether the service keeps up or not: one that finds every connection busy waits, and that
 * counts as its latency.
 */
export async function sendSteadily(
  load: SteadyLoad & { readonly perSecond: number },
): Promise<LatencyOutcome> {
  const { connections, nextBody, perSecond } = load
  const count = Math.round(perSecond * load.seconds)
  const startMs = monotonicMs()
  const latencies: number[] = []
  let sent = 0
  await new Promise<void>((resolve) => {
    const sendDue = (): void => {
      const due = Math.min(count, Math.floor(((monotonicMs() - startMs) * perSecond) / 1000) + 1)
      for (const connection of connections) {
        if (sent >= due) return
        if (connection.isBusy) continue
        const dueMs = startMs + (sent++ * 1000) / perSecond
        connection.send(nextBody(), () => {
          latencies.push(monotonicMs() - dueMs)
          if (latencies.length === count) finish()
          else sendDue()
        })
      }
    }
    const timer = setInterval(sendDue, TICK_MS)
    const finish = (): void => {
      clearInterval(timer)
      resolve()
    }
  })
  return outcome(latencies, startMs)
}

/** The latency that a share of the requests stayed below. */
export function percentile({ latencies }: Pick<LatencyOutcome, 'latencies'>, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
}

function outcome(latencies: number[], startMs: number): LatencyOutcome {
  const perSecond = latencies.length / ((monotonicMs() - startMs) / 1000)
  return { latencies: latencies.sort((a, b) => a - b), perSecond }
}
