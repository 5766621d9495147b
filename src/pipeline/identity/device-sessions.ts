import type { ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { StateStore } from '../../store/state/state-store.ts'
import { utcDayOf } from '../../store/state/utc-day.ts'
import { deviceSessionId, uuidV5, windowOf } from './derived-ids.ts'
import { touchGroups, type VisitorGroup } from './touch-groups.ts'

/** An event of a browser or an app whose library has no sessions. */
export interface DeviceEvent {
  readonly projectId: ProjectId
  /** The id that the library gave the device. A sign-in does not change it. */
  readonly device: string
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number
}

/**
 * Derives the sessions of devices, with the rules of cookieless visitors: 30 minutes without an event, or midnight in UTC, end a session.
 * Events of other days than today and yesterday, for which there is no state, share one session per device and half hour.
 */
export class DeviceSessions {
  readonly #store: StateStore
  readonly #clock: Clock

  constructor({ store, clock }: { readonly store: StateStore; readonly clock: Clock }) {
    this.#store = store
    this.#clock = clock
  }

  /** The session of each event as lower-case UUID text, in the order of `events`; never rejects. */
  async resolve(events: readonly DeviceEvent[]): Promise<readonly string[]> {
    const sessions: string[] = new Array(events.length)
    const today = utcDayOf(this.#clock.nowMs())
    const groups = new Map<string, DeviceGroup>()
    const findLate = createLateFinder()
    for (const [index, event] of events.entries()) {
      const day = utcDayOf(event.timeMs)
      const isKept = day === today || day === today - 1
      if (isKept) addTo(groups, event, { day, index })
      else sessions[index] = findLate(event)
    }
    if (groups.size === 0) return sessions
    for (const group of groups.values()) group.events.sort((a, b) => a.timeMs - b.timeMs)
    await touchGroups(this.#store, [...groups.values()], (index, sessionId) => {
      sessions[index] = sessionId
    })
    return sessions
  }
}

/** Most events of a request are of the device and the half hour of the event before. */
function createLateFinder(): (event: DeviceEvent) => string {
  let last = { device: '', window: Number.NaN, sessionId: '' }
  return ({ device, timeMs }) => {
    const window = windowOf(timeMs)
    if (last.window !== window || last.device !== device)
      last = { device, window, sessionId: deviceSessionId(device, timeMs) }
    return last.sessionId
  }
}

interface DeviceGroup extends VisitorGroup {
  readonly device: string
  readonly events: { readonly index: number; readonly timeMs: number }[]
}

/** Projects and days are numbers, so that a key is of one device. */
function addTo(
  groups: Map<string, DeviceGroup>,
  { projectId, device, timeMs }: DeviceEvent,
  { day, index }: { readonly day: number; readonly index: number },
): void {
  const key = `${day}/${projectId}/${device}`
  const group = groups.get(key)
  if (group) group.events.push({ index, timeMs })
  else {
    const id = uuidV5(`device\0${projectId}\0${device}`)
    groups.set(key, { id, day, device, events: [{ index, timeMs }] })
  }
}
