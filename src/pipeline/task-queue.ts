import type { ProjectId } from '../contract/ids.ts'
import { LIMITS } from '../kernel/limits.ts'

/** The facts about a task that the queue needs. */
export interface Queued {
  /** Monotonic time of its first request. */
  readonly sinceMs: number
}

/** Work of a project, running or queued, beyond which it gets separate tasks. */
const SHARED_WORK_BYTES_MAX = 2 * LIMITS.taskBytesMax

/** A request that is running or queued. */
export interface QueuedWork {
  readonly project: ProjectId
  /** See `workBytesOf`. */
  readonly workBytes: number
  /** Bytes as received. */
  readonly heldBytes: number
}

/** Queued work of one project. */
export interface OwnTasks {
  readonly length: number
  /** Monotonic time at which its first task was queued. */
  readonly sinceMs: number | undefined
  /** Bytes of its requests that are not done, as received. */
  readonly heldBytes: number
}

/** Work of one project. */
interface ProjectWork {
  workBytes: number
  /** Bytes as received. */
  heldBytes: number
  /** Its requests take longer than their size suggests; reset when all are done. */
  isSlow: boolean
}

/**
 * Tasks waiting for a worker, in fair order. Projects that send little share tasks; a project that sends much has tasks of its
 * own. The shared tasks and each such project take turns, so that a busy project delays only itself.
 */
export class TaskQueue<T extends Queued> {
  readonly #shared: T[] = []
  /** Tasks of busy projects; the first project in the map has the next turn. */
  readonly #own = new Map<ProjectId, T[]>()
  readonly #work = new Map<ProjectId, ProjectWork>()
  #wasShared = false
  #length = 0

  /** Number of queued tasks. */
  get length(): number {
    return this.#length
  }

  /** Time at which the first shared task was queued. */
  get sharedSinceMs(): number | undefined {
    return this.#shared[0]?.sinceMs
  }

  /** Queued work of a busy project. */
  ownOf(project: ProjectId): OwnTasks {
    const own = this.#own.get(project)
    const heldBytes = this.#work.get(project)?.heldBytes ?? 0
    return { length: own?.length ?? 0, sinceMs: own?.[0]?.sinceMs, heldBytes }
  }

  /** The task for the next request of a project, if it has room. */
  last(project: ProjectId): T | undefined {
    return this.#isBusy(project) ? this.#own.get(project)?.at(-1) : this.#shared.at(-1)
  }

  /** Adds a task for a project, shared with others unless the project is busy. */
  push(project: ProjectId, task: T): void {
    this.#length++
    if (!this.#isBusy(project)) return void this.#shared.push(task)
    const own = this.#own.get(project) ?? []
    own.push(task)
    this.#own.set(project, own)
  }

  /** Removes and returns the next task. */
  shift(): T | undefined {
    const isShared = this.#shared.length > 0 && (!this.#wasShared || this.#own.size === 0)
    const next = isShared ? this.#shared.shift() : this.#shiftOwn()
    if (next) this.#length--
    this.#wasShared = isShared
    return next
  }

  /** Removes an empty task. */
  remove(task: T): void {
    const lists = [this.#shared, ...this.#own.values()]
    for (const list of lists) {
      const index = list.indexOf(task)
      if (index === -1) continue
      list.splice(index, 1)
      this.#length--
    }
    for (const [project, own] of this.#own) if (own.length === 0) this.#own.delete(project)
  }

  /** Removes and returns all tasks. */
  clear(): readonly T[] {
    const all = [...this.#shared.splice(0), ...[...this.#own.values()].flat()]
    this.#own.clear()
    this.#length = 0
    return all
  }

  /** Counts a new request of a project. */
  begin({ project, workBytes, heldBytes }: QueuedWork): void {
    const work = this.#work.get(project)
    if (!work) return void this.#work.set(project, { workBytes, heldBytes, isSlow: false })
    work.workBytes += workBytes
    work.heldBytes += heldBytes
  }

  /** Counts a request as done. */
  end({ project, workBytes, heldBytes }: QueuedWork): void {
    const work = this.#work.get(project)
    if (!work) return
    work.workBytes -= workBytes
    work.heldBytes -= heldBytes
    if (work.workBytes <= 0) this.#work.delete(project)
  }

  /** Marks a project whose requests occupied a worker for long: it gets separate tasks until all of them are done. */
  markSlow(project: ProjectId): void {
    const work = this.#work.get(project)
    if (work) work.isSlow = true
  }

  #isBusy(project: ProjectId): boolean {
    const work = this.#work.get(project)
    return work !== undefined && (work.isSlow || work.workBytes > SHARED_WORK_BYTES_MAX)
  }

  #shiftOwn(): T | undefined {
    const [first] = this.#own
    if (!first) return undefined
    const [project, own] = first
    const next = own.shift()
    this.#own.delete(project)
    // The other projects come first.
    if (own.length > 0) this.#own.set(project, own)
    return next
  }
}
