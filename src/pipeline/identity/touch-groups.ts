import type { StateStore } from '../../store/state/state-store.ts'
import { daySessionId, deviceSessionBytes, deviceSessionId, lateSessionId } from './derived-ids.ts'

/** Events of one visitor and day, by their indexes in a call. */
export interface VisitorGroup {
  /** The visitor; ids that projects choose must not be in it as they are. */
  readonly id: string
  /** UTC day: days since 1970-01-01. */
  readonly day: number
  /** Ordered by time. */
  readonly events: readonly { readonly index: number; readonly timeMs: number }[]
  /** The sessions of a device; those of other visitors have random ids. */
  readonly device?: string
}

/**
 * Finds the sessions of visitors in one round trip to the store, and hands over that of each event as lower-case UUID text. Sessions
 * that the store cannot give are derived from the visitor and the time, so that every retry has the same one.
 */
export async function touchGroups<Group extends VisitorGroup>(
  store: StateStore,
  groups: readonly Group[],
  assign: (index: number, sessionId: string, group: Group) => void,
): Promise<void> {
  const touches = groups.map(({ id, day, events, device }) => ({
    id,
    day,
    timesMs: events.map(({ timeMs }) => timeMs),
    ...(device === undefined ? {} : { idOfStart: (timeMs: number) => deviceSessionBytes(device, timeMs) }),
  }))
  const touched = await store.touchSessions(touches)
  for (const [groupIndex, group] of groups.entries()) {
    const { id, day, events, device } = group
    const lateIdOf = (timeMs: number): string =>
      device === undefined ? lateSessionId(id, timeMs) : deviceSessionId(device, timeMs)
    const visitor = touched.status === 'ok' ? touched.visitors[groupIndex] : undefined
    const fallback = visitor?.status === 'ok' ? undefined : daySessionId(id, day)
    for (const [order, { index, timeMs }] of events.entries()) {
      const storedId = visitor?.status === 'ok' ? visitor.ids[order] : undefined
      assign(index, storedId ?? fallback ?? lateIdOf(timeMs), group)
    }
  }
}
