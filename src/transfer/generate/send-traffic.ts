import { type Clock, sleep } from '../../kernel/clock.ts'
import type { Progress } from '../progress.ts'
import { sendBatch, toBatches } from '../send/send-events.ts'
import { IdentifySender } from '../send/send-identifies.ts'
import { SendError, type ServiceClient } from '../send/service-client.ts'
import type { Deed } from './visit.ts'

/** How traffic is sent. */
export interface SendTrafficOptions {
  readonly client: ServiceClient
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: Progress
  /** Events a second, each at the time at which it is sent; undefined: at their own times, as fast as possible. */
  readonly rate: number | undefined
}

/** Deeds that are sent together: several batches at once. */
const WINDOW_DEEDS = 4000

/** At a rate, events are sent as often as this. */
const TICK_MS = 200

/** Sends traffic and answers how many events the service took. Throws `SendError`. */
export async function sendTraffic(deeds: Iterable<Deed>, options: SendTrafficOptions): Promise<number> {
  const { client, clock, rate, signal, progress } = options
  const people = new IdentifySender(client)
  const startedMs = clock.nowMs()
  const deedsAtOnce = rate === undefined ? WINDOW_DEEDS : Math.max(1, Math.round((rate * TICK_MS) / 1000))
  let sent = 0
  for (const window of windowsOf(deeds, deedsAtOnce)) {
    const dueMs = rate === undefined ? undefined : startedMs + (sent * 1000) / rate
    if (dueMs !== undefined && dueMs > clock.nowMs()) await sleep(dueMs - clock.nowMs(), signal)
    await sendWindow(dueMs === undefined ? window : retime(window, dueMs, rate ?? 1), client, people)
    sent += window.length
    progress.add(window.length)
  }
  return sent
}

async function sendWindow(
  window: readonly Deed[],
  client: ServiceClient,
  people: IdentifySender,
): Promise<void> {
  const events = window.map(({ event }) => ({ text: JSON.stringify(event) }))
  const refuse = (_: unknown, reason: string): void => {
    throw new SendError(`the service refuses an event: ${reason}`)
  }
  // Nobody is identified twice, so that calls may overtake each other; connections bound how many are under way.
  const identifies = window.flatMap(({ identify }) => (identify && people.isNew(identify) ? [identify] : []))
  await Promise.all([
    ...toBatches(events).map(async (batch) => await sendBatch(client, batch, refuse)),
    ...identifies.map(async (identify) => {
      const reason = await people.send(identify)
      if (reason !== undefined) throw new SendError(`the service refuses to identify somebody: ${reason}`)
    }),
  ])
}

function retime(window: readonly Deed[], startMs: number, rate: number): readonly Deed[] {
  return window.map((deed, index) => {
    const timeMs = Math.floor(startMs + (index * 1000) / rate)
    return { ...deed, timeMs, event: { ...deed.event, occurTime: new Date(timeMs).toISOString() } }
  })
}

function* windowsOf(deeds: Iterable<Deed>, count: number): Iterable<Deed[]> {
  let window: Deed[] = []
  for (const deed of deeds) {
    window.push(deed)
    if (window.length < count) continue
    yield window
    window = []
  }
  if (window.length > 0) yield window
}
