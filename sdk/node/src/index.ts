import type { Millrace, Options, Stats } from './api.ts'
import { createDeliveries, cutEvents, cutUsers } from './deliveries.ts'
import { encodeEvent, encodeUser, type Item } from './encode.ts'
import { flushAtEnd } from './flush-at-end.ts'
import { Lane } from './lane.ts'
import { readOptions } from './options.ts'
import { createReport } from './report.ts'
import { createTransport } from './transport.ts'

export type {
  ErrorReason,
  IdentifiedUser,
  Millrace,
  Options,
  Properties,
  Stats,
  TrackedEvent,
} from './api.ts'
export { MillraceError } from './api.ts'

/** Connects to a project. Throws a `TypeError` for options that cannot work; nothing else here throws. */
export function createMillrace(options: Options): Millrace {
  const settings = readOptions(options)
  const { batchEventsMax, queueEventsMax, queueBytesMax, whenFull, flushIntervalMs, flushTimeoutMs } =
    settings
  const report = createReport(options.onError)
  const transport = createTransport(settings)
  const deliveries = createDeliveries(transport, report)
  const limits = { itemsMax: queueEventsMax, bytesMax: queueBytesMax, whenFull, flushIntervalMs }
  const onOverflow = report.overflow
  const events = new Lane({
    ...{ ...limits, onOverflow, batchItemsMax: batchEventsMax },
    cut: (waiting) => cutEvents(waiting, batchEventsMax),
    deliver: deliveries.events,
  })
  // A profile is wanted soon, and none is sent together with others.
  const users = new Lane({
    ...{ ...limits, onOverflow, batchItemsMax: 1 },
    cut: cutUsers,
    deliver: deliveries.users,
  })
  const lanes = [events, users]
  let isClosed = false

  const add = (lane: Lane, encode: () => Item): boolean => {
    try {
      const item = encode()
      if (!isClosed) return lane.add(item)
      report.error('unsent', `the client is closed: the ${item.name} was dropped`, { lost: 1 })
    } catch (cause) {
      // Also what getters and toJSON of the application throw.
      const message = cause instanceof Error ? cause.message : String(cause)
      report.error('invalid', message, { lost: 1, cause })
    }
    return false
  }
  const flush = async (timeoutMs = flushTimeoutMs): Promise<boolean> => {
    const outcomes = await Promise.all(lanes.map((lane) => lane.flush(timeoutMs)))
    report.settle()
    return outcomes.every(Boolean)
  }
  const stopWatching = flushAtEnd(settings.flushOn, {
    size: () => events.size + users.size,
    flush: async () => {
      for (const lane of lanes) lane.hurry()
      return await flush()
    },
    onUnsent: (lost) => report.error('unsent', `the process ends: ${lost} unsent`, { lost }),
  })
  return {
    track: (event) => add(events, () => encodeEvent(event)),
    identify: (user) => add(users, () => encodeUser(user)),
    waitForRoom: async (timeoutMs = Number.POSITIVE_INFINITY) => await events.waitForRoom(timeoutMs),
    flush,
    close: async (timeoutMs = flushTimeoutMs) => {
      isClosed = true
      stopWatching()
      for (const lane of lanes) lane.hurry()
      const isDone = await flush(timeoutMs)
      const lost = events.clear() + users.clear()
      transport.abort()
      if (lost > 0) report.error('unsent', `closed before they were sent: ${lost} dropped`, { lost })
      return isDone && lost === 0
    },
    stats: (): Stats => ({
      waiting: events.size + users.size,
      ...deliveries.counts(),
      dropped: report.dropped(),
    }),
  }
}
