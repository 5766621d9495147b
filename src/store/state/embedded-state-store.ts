import { mkdirSync } from 'node:fs'
import { type Database, open, type RootDatabase } from 'lmdb'
import { Packr } from 'msgpackr'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { SaltFiles } from './salt-files.ts'
import { assignSession, type SessionHistory } from './session-history.ts'
import {
  type SaltOutcome,
  type SessionTouch,
  type StateStore,
  type TouchOutcome,
  unavailable,
  type VisitorSessions,
} from './state-store.ts'
import { splitChains, uuidText } from './touch-chains.ts'
import { dayExpiryMs, utcDayOf } from './utc-day.ts'
import { openVolatileFolder } from './volatile-folder.ts'

/** Address space of the environment: above all limits, and not memory until pages are used. */
const MAP_BYTES = 4 * 1024 ** 3
/** Pages of sessions: about five million visitors in two days. */
const SESSION_BYTES_MAX = 1024 ** 3
/** Bytes per visitor besides the value: key, header, and unused page space. */
const VISITOR_OVERHEAD_BYTES = 80
/** Interval of the sweep for expired entries, in milliseconds, and maximum entries per transaction: about 3 ms. */
const SWEEP_EVERY_MS = 10_000
const SWEEP_ENTRIES_MAX = 2000

const CLOSED = new Error('the state store is closed')

/** Location and limits of the embedded store. */
export interface EmbeddedStateOptions {
  /** The data folder; the store uses `volatile/` in it. */
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Logger
  /** Bytes of session pages beyond which new visitors are rejected; default 1 GiB. */
  readonly sessionBytesMax?: number
}

type SessionKey = [day: number, id: string]

/**
 * The state store of a single machine: LMDB, which any number of its processes and threads open concurrently, with
 * salts as files. Each read or write is one short transaction on the caller's thread.
 *
 * Commits are not synced: they survive a process crash, and a machine crash leads to a new, empty environment. That
 * loses at most half an hour of sessions; salts are synced.
 */
export class EmbeddedStateStore implements StateStore {
  readonly #clock: Clock
  readonly #salts: SaltFiles
  readonly #root: RootDatabase
  readonly #sessions: Database<Buffer, SessionKey>
  readonly #packer = new Packr({ useRecords: false })
  readonly #sessionBytesMax: number
  readonly #sweeper: NodeJS.Timeout
  #isClosed = false

  /** Opens the store, creating its folder. Throws when the folder cannot be written. */
  constructor({ dataDir, clock, log, sessionBytesMax = SESSION_BYTES_MAX }: EmbeddedStateOptions) {
    const folder = openVolatileFolder(dataDir)
    mkdirSync(folder.statePath, { recursive: true, mode: 0o700 })
    this.#clock = clock
    this.#sessionBytesMax = sessionBytesMax
    this.#salts = new SaltFiles(folder.saltsPath)
    this.#root = open({
      path: folder.statePath,
      mapSize: MAP_BYTES,
      noSubdir: false,
      maxDbs: 1,
      // Without a boot id a machine crash cannot be detected, so pages are synced in a crash-safe order.
      ...(folder.isPerBoot ? { noSync: true, overlappingSync: false } : {}),
    })
    this.#sessions = this.#root.openDB({ name: 'sessions', encoding: 'binary' })
    this.sweep()
    this.#sweeper = setInterval(() => this.#trySweep(log), SWEEP_EVERY_MS).unref()
  }

  async salt(day: number, offered?: Uint8Array): Promise<SaltOutcome> {
    if (this.#isClosed) return unavailable(CLOSED)
    if (this.#clock.nowMs() >= dayExpiryMs(day)) return { status: 'expired' }
    return this.#salts.obtain(day, offered)
  }

  async touchSessions(touches: readonly SessionTouch[]): Promise<TouchOutcome> {
    return this.#transact(() => {
      const room = { bytes: this.#sessionBytesMax - this.#sessionBytes() }
      return { status: 'ok' as const, visitors: touches.map((touch) => this.#touch(touch, room)) }
    })
  }

  /** Removes expired salts, and a bounded number of expired sessions; runs automatically every 10 s. */
  sweep(): void {
    const nowMs = this.#clock.nowMs()
    this.#salts.removeExpired(nowMs)
    this.#sweepSessions(utcDayOf(nowMs) - 1)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#sweeper)
    await this.#root.close()
  }

  /** A failed sweep, for example on a failing disk, is retried: it must be visible, but must not stop the process. */
  #trySweep(log: Logger): void {
    try {
      this.sweep()
    } catch (error) {
      log.error({ err: error }, 'cannot remove expired salts and sessions; will retry')
    }
  }

  #transact<T>(action: () => T): T | ReturnType<typeof unavailable> {
    if (this.#isClosed) return unavailable(CLOSED)
    try {
      return this.#root.transactionSync(action)
    } catch (error) {
      return unavailable(error)
    }
  }

  #touch(touch: SessionTouch, room: { bytes: number }): VisitorSessions {
    const key: SessionKey = [touch.day, touch.id]
    const stored = this.#sessions.getBinary(key)
    if (stored === undefined && room.bytes <= 0) return { status: 'full' }
    const history: SessionHistory = stored === undefined ? [] : this.#packer.unpack(stored)
    const ids = splitChains(touch).flatMap(({ candidate, times }) =>
      times.map((time) => assignSession(history, candidate, time)),
    )
    const packed = this.#packer.pack(history)
    if (stored === undefined) room.bytes -= packed.length + VISITOR_OVERHEAD_BYTES
    this.#sessions.putSync(key, packed)
    return { status: 'ok', ids: ids.map((id) => id && uuidText(id)) }
  }

  #sessionBytes(): number {
    const stats: unknown = this.#sessions.getStats()
    const { pageSize, treeLeafPageCount, overflowPages } = stats as Record<string, number>
    return (pageSize ?? 0) * ((treeLeafPageCount ?? 0) + (overflowPages ?? 0))
  }

  #sweepSessions(firstLiveDay: number): void {
    const range = { start: [0], end: [firstLiveDay], limit: SWEEP_ENTRIES_MAX }
    const dead = [...this.#sessions.getKeys(range)]
    if (dead.length === 0) return
    this.#root.transactionSync(() => {
      for (const key of dead) this.#sessions.removeSync(key)
    })
  }
}
