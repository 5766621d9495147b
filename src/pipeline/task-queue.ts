import type { ProjectId } from '../contract/ids.ts'
import { LIMITS } from '../kernel/limits.ts'

/** What a queue must know of what waits in it. */
export interface Queued {
  /** Monotonic time of its first request. */
  readonly sinceMs: number
}

/** Work of a project, under way or waiting, beyond which it has tasks of its own. */
const SHARED_WORK_BYTES_MAX = 2 * LIMITS.taskBytesMax

/** A request that is under way or waits. */
export interface QueuedWork {
  readonly project: ProjectId
  /** See `workBytesOf`. */
  readonly workBytes: number
  /** Bytes as they came. */
  readonly heldBytes: number
}

/** What waits of one project. */
export interface OwnTasks {
  readonly length: number
  /** Monotonic time since which the first of its tasks waits. */
  readonly sinceMs: number | undefined
  /** Bytes of all that it sent and that is not done, as they came. */
  readonly heldBytes: number
}

/** Work of one project. */
interface ProjectWork {
  workBytes: number
  /** Bytes as they came. */
  heldBytes: number
  /** Its requests take longer than their bytes let expect, until all are done. */
  isSlow: boolean
}

/**
 * Tasks that wait for a worker. Requests of projects that send little travel together; a project that sends much has tasks of
 * its own, and these projects and the others take turns: who sends much waits for itself.
 */
export class TaskQueue<T extends Queued> {
  readonly #shared: T[] = []
  /** The first of the map has the next turn among those that send much. */
  readonly #own = new Map<ProjectId, T[]>()
  readonly #work = new Map<ProjectId, ProjectWork>()
  #wasShared = false
  #length = 0

  /** Tasks that wait. */
  get length(): number {
    return this.#length
  }

  /** Since when the first of the tasks that many projects share waits. */
  get sharedSinceMs(): number | undefined {
    return this.#shared[0]?.sinceMs
  }

  /** What waits of a project that has tasks of its own. */
  ownOf(project: ProjectId): OwnTasks {
    const own = this.#own.get(project)
    const heldBytes = this.#work.get(project)?.heldBytes ?? 0
    return { length: own?.length ?? 0, sinceMs: own?.[0]?.sinceMs, heldBytes }
  }

  /** The task that takes the next request of a project, where it has room. */
  last(project: ProjectId): T | undefined {
    return this.#isAlone(project) ? this.#own.get(project)?.at(-1) : this.#shared.at(-1)
  }

  /** Adds a task for requests of a project, and of others when it sends little. */
  push(project: ProjectId, task: T): void {
    this.#length++
    if (!this.#isAlone(project)) return void this.#shared.push(task)
    const own = this.#own.get(project) ?? []
    own.push(task)
    this.#own.set(project, own)
  }

  /** The task whose turn it is. */
  shift(): T | undefined {
    const isShared = this.#shared.length > 0 && (!this.#wasShared || this.#own.size === 0)
    const next = isShared ? this.#shared.shift() : this.#shiftOwn()
    if (next) this.#length--
    this.#wasShared = isShared
    return next
  }

  /** Takes a task out that has nothing in it any more. */
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

  /** Takes all out. */
  clear(): readonly T[] {
    const all = [...this.#shared.splice(0), ...[...this.#own.values()].flat()]
    this.#own.clear()
    this.#length = 0
    return all
  }

  /** Counts work of a project. */
  begin({ project, workBytes, heldBytes }: QueuedWork): void {
    const work = this.#work.get(project)
    if (!work) return void this.#work.set(project, { workBytes, heldBytes, isSlow: false })
    work.workBytes += workBytes
    work.heldBytes += heldBytes
  }

  /** The work is done. */
  end({ project, workBytes, heldBytes }: QueuedWork): void {
    const work = this.#work.get(project)
    if (!work) return
    work.workBytes -= workBytes
    work.heldBytes -= heldBytes
    if (work.workBytes <= 0) this.#work.delete(project)
  }

  /** Requests of a project took a worker for long: until all that it sent is done, it has tasks of its own. */
  slow(project: ProjectId): void {
    const work = this.#work.get(project)
    if (work) work.isSlow = true
  }

  #isAlone(project: ProjectId): boolean {
    const work = this.#work.get(project)
    return work !== undefined && (work.isSlow || work.workBytes > SHARED_WORK_BYTES_MAX)
  }

  #shiftOwn(): T | undefined {
    const [first] = this.#own
    if (!first) return undefined
    const [project, own] = first
    const next = own.shift()
    this.#own.delete(project)
    // The others come first.
    if (own.length > 0) this.#own.set(project, own)
    return next
  }
}
