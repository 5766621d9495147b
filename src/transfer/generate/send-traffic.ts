import { type Clock, sleep } from '../../kernel/clock.ts'
import type { Progress } from '../progress.ts'
import { sendBatch, toBatches } from '../send/send-events.ts'
import { IdentifySender } from '../send/send-identifies.ts'
import { SendError, type ServiceClient } from '../send/service-client.ts'
import type { Action } from './visit.ts'

/** Options for sending traffic. */
export interface SendTrafficOptions {
  readonly client: ServiceClient
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: Progress
  /** Events per second, timed as they are sent; undefined keeps their own times and sends as fast as possible. */
  readonly rate: number | undefined
}

/** Actions that are sent together, as several concurrent batches. */
const WINDOW_ACTIONS = 4000

/** Interval between windows when a rate is set. */
const TICK_MS = 200

/** Sends traffic and returns the number of events that the service accepted. Throws `SendError`. */
export async function sendTraffic(actions: Iterable<Action>, options: SendTrafficOptions): Promise<number> {
  const { client, clock, rate, signal, progress } = options
  const identifier = new IdentifySender(client)
  const startedMs = clock.nowMs()
  const windowLength = rate === undefined ? WINDOW_ACTIONS : Math.max(1, Math.round((rate * TICK_MS) / 1000))
  let sent = 0
  for (const window of windowsOf(actions, windowLength)) {
    const dueMs = rate === undefined ? undefined : startedMs + (sent * 1000) / rate
    if (dueMs !== undefined && dueMs > clock.nowMs()) await sleep(dueMs - clock.nowMs(), signal)
    await sendWindow(dueMs === undefined ? window : retime(window, dueMs, rate ?? 1), client, identifier)
    sent += window.length
    progress.add(window.length)
  }
  return sent
}

async function sendWindow(
  window: readonly Action[],
  client: ServiceClient,
  identifier: IdentifySender,
): Promise<void> {
  const events = window.map(({ event }) => ({ text: JSON.stringify(event) }))
  const refuse = (_: unknown, reason: string): void => {
    throw new SendError(`the service rejected an event: ${reason}`)
  }
  // Each user is identified once, so the order of calls does not matter; the connection limit bounds their concurrency.
  const identifies = window.flatMap(({ identify }) =>
    identify && identifier.isNew(identify) ? [identify] : [],
  )
  await Promise.all([
    ...toBatches(events).map(async (batch) => await sendBatch(client, batch, refuse)),
    ...identifies.map(async (identify) => {
      const reason = await identifier.send(identify)
      if (reason !== undefined) throw new SendError(`the service rejected an Identify call: ${reason}`)
    }),
  ])
}

function retime(window: readonly Action[], startMs: number, rate: number): readonly Action[] {
  return window.map((action, index) => {
    const timeMs = Math.floor(startMs + (index * 1000) / rate)
    return { ...action, timeMs, event: { ...action.event, occurTime: new Date(timeMs).toISOString() } }
  })
}

function* windowsOf(actions: Iterable<Action>, count: number): Iterable<Action[]> {
  let window: Action[] = []
  for (const action of actions) {
    window.push(action)
    if (window.length < count) continue
    yield window
    window = []
  }
  if (window.length > 0) yield window
}
