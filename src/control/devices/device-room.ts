import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** What room for devices is found with. */
export interface DeviceRoomParts {
  readonly clock: Clock
  /** Devices of one project. */
  readonly countMax: number
}

/** A device that says nothing for so long is gone: Firebase forgets tokens of Android after as long. */
const QUIET_MS = 270 * 24 * 3_600_000

/** Devices that make room at once, so that a full project counts its devices once for many new ones. */
const REMOVED_MAX = 1000

/** Where nobody makes room, it is not looked for again for so long: whoever has a public key may ask. */
const REFUSED_MS = 60_000

/** Projects that are remembered; one that is forgotten is counted again. */
const PROJECTS_MAX = 10_000

interface Known {
  /** New devices before they are counted again. */
  readonly left: number
  /** Until when there is no room anyway. */
  readonly refusedUntilMs: number
}

/**
 * Keeps the devices of a project from growing without end. New ones take the place of those that are turned off, and of
 * those that said nothing for 270 days, the stalest first; never of one that is in use: everybody has the public key. Room
 * is counted once for half of what is left, so that processes side by side exceed the limit by little.
 */
export class DeviceRoom {
  readonly #parts: DeviceRoomParts
  readonly #known = new LRUCache<ProjectId, Known>({ max: PROJECTS_MAX })

  constructor(parts: DeviceRoomParts) {
    this.#parts = parts
  }

  /** Takes the place of one new device. Throws `failed_precondition` when there is none. */
  async take(transaction: Catalog, projectId: ProjectId): Promise<void> {
    const nowMs = this.#parts.clock.nowMs()
    const known = this.#known.get(projectId)
    if (known && known.refusedUntilMs > nowMs) throw this.#full()
    const left = known && known.left > 0 ? known.left : await this.#findRoom(transaction, projectId)
    if (left > 0) {
      this.#known.set(projectId, { left: left - 1, refusedUntilMs: 0 })
      return
    }
    this.#known.set(projectId, { left: 0, refusedUntilMs: nowMs + REFUSED_MS })
    throw this.#full()
  }

  async #findRoom(transaction: Catalog, projectId: ProjectId): Promise<number> {
    const { count } = await transaction
      .selectFrom('devices')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    const free = this.#parts.countMax - Number(count)
    const room = free > 0 ? free : free + (await this.#removeStale(transaction, projectId))
    return Math.ceil(room / 2)
  }

  async #removeStale(transaction: Catalog, projectId: ProjectId): Promise<number> {
    const quietSinceMs = this.#parts.clock.nowMs() - QUIET_MS
    const removed = await transaction
      .deleteFrom('devices')
      .where('project_id', '=', projectId)
      .where('device_id', 'in', ({ selectFrom }) =>
        selectFrom('devices as stale')
          .select('stale.device_id')
          .where('stale.project_id', '=', projectId)
          .where(({ or, eb }) =>
            or([eb('stale.status', '=', 'inactive'), eb('stale.updated_ms', '<', quietSinceMs)]),
          )
          .orderBy('stale.updated_ms')
          .limit(Math.min(REMOVED_MAX, Math.ceil(this.#parts.countMax / 10))),
      )
      .executeTakeFirst()
    return Number(removed.numDeletedRows)
  }

  #full(): ServiceError {
    return new ServiceError({
      code: 'failed_precondition',
      reason: 'LIMIT_REACHED',
      message: `the project has ${this.#parts.countMax} devices in use; turn some off first`,
    })
  }
}
