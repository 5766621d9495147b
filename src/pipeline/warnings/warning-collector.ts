import type { ProjectId } from '../../contract/ids.ts'
import {
  isWarningReason,
  type WarningDialect,
  type WarningReason,
} from '../../contract/ingestion-warnings.ts'
import type { Clock } from '../../kernel/clock.ts'
import { counter } from '../../kernel/metrics.ts'
import { describeViolation } from './describe-event.ts'
import { NO_SDK, type NotedOutcome, type RequestWarning } from './warning.ts'

/** Where a warning comes from. */
export interface WarningSource {
  readonly projectId: ProjectId
  readonly dialect: WarningDialect
}

/** Takes notes of what ingestion drops, changes and refuses. It neither throws nor waits. */
export interface WarningNotes {
  /** Notes what became of a request. */
  noteOutcome(source: WarningSource, outcome: NotedOutcome): void
  /** Notes a request that was refused before a worker had it; reasons that no project can be named for are left out. */
  noteRejection(source: WarningSource, reason: string): void
}

/** A row of the table of warnings, as JSON. */
export interface WarningRow {
  readonly project: ProjectId
  /** Seconds since the Unix epoch. */
  readonly hour: number
  readonly dialect: WarningDialect
  readonly reason: WarningReason
  readonly sdk: string
  readonly sdk_version: string
  readonly writer: string
  readonly count: number
  readonly first: string
  readonly last: string
  readonly sample: string
}

/** Libraries and versions that this edge tells apart in an hour, by reason: of one project, and of all of them. */
const OF_PROJECT_MAX = 100
const OF_ALL_MAX = 5000

/** Rows in memory; more are lost. A store that is away for long is the only reason for so many. */
const ROWS_MAX = 20_000

const HOUR_MS = 3_600_000

const counted = counter(
  'millrace_ingestion_warnings_total',
  'Events that were dropped or changed, and requests that were refused, by interface and reason.',
  ['dialect', 'reason'],
)
const lost = counter(
  'millrace_ingestion_warnings_lost_total',
  'Warnings that are missing in the list of their project, because too many were in memory.',
)

/** The count of one hour so far. */
interface Entry {
  readonly source: WarningSource
  readonly hourMs: number
  readonly warning: Omit<RequestWarning, 'count'>
  count: number
  readonly firstMs: number
  lastMs: number
  sample: string
  /** The count that the store has. */
  storedCount: number
}

/** Rows to store, and what to call once they are. */
export interface WarningBatch {
  readonly rows: readonly WarningRow[]
  confirm(): void
}

/** The warnings of this run of an edge: its counts by hour, until they are stored and the hour is over. */
export class WarningCollector implements WarningNotes {
  readonly #clock: Clock
  readonly #writer: string
  readonly #entries = new Map<string, Entry>()
  /** Entries with a library in the current hour, by project. */
  readonly #named = new Map<ProjectId, number>()
  #namedCount = 0
  #hourMs = 0
  #hasNew = false

  /** `writer` names this run of the edge: no other may have the same. */
  constructor({ clock, writer }: { readonly clock: Clock; readonly writer: string }) {
    this.#clock = clock
    this.#writer = writer
  }

  noteOutcome(source: WarningSource, outcome: NotedOutcome): void {
    if (!('accepted' in outcome)) {
      const sample = outcome.violation ? describeViolation(outcome.violation) : ''
      this.#noteReason(source, outcome.reason, sample)
      return
    }
    const { warnings = [], droppedByReason = {}, changedByReason = {} } = outcome
    const described = new Map<string, number>()
    for (const warning of warnings) {
      this.#add(source, warning)
      described.set(warning.reason, (described.get(warning.reason) ?? 0) + warning.count)
    }
    if (outcome.isCheckOnly) return
    for (const [reason, total] of Object.entries({ ...droppedByReason, ...changedByReason })) {
      const count = total - (described.get(reason) ?? 0)
      if (count > 0 && isWarningReason(reason)) this.#add(source, { reason, ...NO_SDK, count, sample: '' })
    }
  }

  noteRejection(source: WarningSource, reason: string): void {
    this.#noteReason(source, reason, '')
  }

  /** Whether something was noted since the last batch, or that one was not confirmed. */
  get hasNew(): boolean {
    return this.#hasNew
  }

  /** What the store does not have yet. The same rows come again until the batch is confirmed. */
  take(): WarningBatch {
    const due = [...this.#entries].filter(([, { count, storedCount }]) => count > storedCount)
    const taken = due.map(([key, entry]) => ({ key, entry, count: entry.count }))
    return {
      rows: due.map(([, entry]) => this.#toRow(entry)),
      confirm: () => {
        for (const { entry, count } of taken) entry.storedCount = count
        this.#hasNew = [...this.#entries.values()].some(({ count, storedCount }) => count > storedCount)
        this.#forgetHours()
      },
    }
  }

  #noteReason(source: WarningSource, reason: string, sample: string): void {
    const name = reason.toLowerCase()
    if (isWarningReason(name)) this.#add(source, { reason: name, ...NO_SDK, count: 1, sample })
  }

  #add(source: WarningSource, warning: RequestWarning): void {
    const { dialect, projectId } = source
    const { reason, count } = warning
    counted.inc({ dialect, reason }, count)
    const nowMs = this.#clock.nowMs()
    this.#startHour(nowMs - (nowMs % HOUR_MS))
    const entry =
      this.#find(source, warning) ?? this.#create(source, this.#isNameable(projectId, warning), nowMs)
    if (!entry) return lost.inc(count)
    entry.count += count
    this.#hasNew = true
    entry.lastMs = Math.max(entry.lastMs, nowMs)
    if (entry.sample === '') entry.sample = warning.sample
  }

  #find(source: WarningSource, warning: RequestWarning): Entry | undefined {
    return this.#entries.get(keyOf(source, warning, this.#hourMs))
  }

  /** The warning itself, or the same without its library where too many are known. */
  #isNameable(projectId: ProjectId, warning: RequestWarning): RequestWarning {
    const { sdk } = warning
    const isFull = (this.#named.get(projectId) ?? 0) >= OF_PROJECT_MAX || this.#namedCount >= OF_ALL_MAX
    return sdk === '' || !isFull ? warning : { ...warning, ...NO_SDK }
  }

  #create(source: WarningSource, warning: RequestWarning, nowMs: number): Entry | undefined {
    const found = this.#find(source, warning)
    if (found) return found
    if (this.#entries.size >= ROWS_MAX) return undefined
    const { projectId } = source
    if (warning.sdk !== '') {
      this.#named.set(projectId, (this.#named.get(projectId) ?? 0) + 1)
      this.#namedCount++
    }
    const entry: Entry = {
      source,
      hourMs: this.#hourMs,
      warning,
      count: 0,
      firstMs: nowMs,
      lastMs: nowMs,
      sample: '',
      storedCount: 0,
    }
    this.#entries.set(keyOf(source, warning, this.#hourMs), entry)
    return entry
  }

  /** A clock that is set back stays in its hour, so that no count begins again. */
  #startHour(hourMs: number): void {
    if (hourMs <= this.#hourMs) return
    this.#hourMs = hourMs
    this.#named.clear()
    this.#namedCount = 0
    this.#forgetHours()
  }

  #forgetHours(): void {
    for (const [key, { hourMs, count, storedCount }] of this.#entries) {
      if (hourMs < this.#hourMs && count === storedCount) this.#entries.delete(key)
    }
  }

  #toRow({ source, hourMs, warning, count, firstMs, lastMs, sample }: Entry): WarningRow {
    return {
      project: source.projectId,
      hour: hourMs / 1000,
      dialect: source.dialect,
      reason: warning.reason,
      sdk: warning.sdk,
      sdk_version: warning.sdkVersion,
      writer: this.#writer,
      count,
      first: toTime(firstMs),
      last: toTime(lastMs),
      sample,
    }
  }
}

function keyOf(
  { projectId, dialect }: WarningSource,
  { reason, sdk, sdkVersion }: Omit<RequestWarning, 'count'>,
  hourMs: number,
): string {
  return `${projectId} ${hourMs} ${dialect} ${reason} ${sdk}\0${sdkVersion}`
}

/** A time as ClickHouse reads it without a setting. */
function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '')
}
