import { randomBytes } from 'node:crypto'
import { Packr } from 'msgpackr'
import { ErrorReply } from 'redis'
import { assert } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { RedisLink } from './redis-link.ts'
import { type Persistence, readPersistence } from './redis-persistence.ts'
import { OBTAIN_SALT_SCRIPT, TAKE_TOKENS_SCRIPT, TOUCH_SESSIONS_SCRIPT } from './redis-scripts.ts'
import { decodeSalt, encodeSalt, SALT_BYTES } from './salt-record.ts'
import type { TakeOutcome } from './state-store.ts'
import {
  type SaltOutcome,
  type SessionTouch,
  type SharedStateStore,
  type TouchOutcome,
  unavailable,
  type VisitorSessions,
} from './state-store.ts'
import type { TokenDemand, TokenGrant, TokenRate } from './token-bucket.ts'
import { splitChains, UUID_BYTES, uuidText } from './touch-chains.ts'
import { dayExpiryMs, utcDayText } from './utc-day.ts'

/**
 * Default timeout of a call in milliseconds: a thousand times its usual duration, and short compared to client
 * timeouts.
 */
const CALL_TIMEOUT_MS = 300

/** Milliseconds that {@link openRedisStateStore} waits for the first connection. */
const FIRST_CONNECT_MS = 1000

/** Key prefix, so that the service can share a server. */
const PREFIX = 'millrace:'

/** Location of the shared store. */
export interface RedisStateOptions {
  /** `redis://` or `rediss://`, with user, password and database number. Redis 6.2 or newer, not a cluster. */
  readonly url: string
  readonly clock: Clock
  readonly log: Logger
  /** Timeout of a call in milliseconds; default 300. */
  readonly callTimeoutMs?: number
}

/**
 * The state store for several machines: Redis, with one Lua script and one round trip per call. Keys expire by
 * themselves; when Redis is out of memory, slow or unreachable, calls are `unavailable`.
 */
export class RedisStateStore implements SharedStateStore {
  readonly #clock: Clock
  readonly #link: RedisLink
  readonly #packer = new Packr({ useRecords: false })

  /** Starts connecting. Throws when the URL is invalid. */
  constructor({ url, clock, log, callTimeoutMs = CALL_TIMEOUT_MS }: RedisStateOptions) {
    this.#clock = clock
    this.#link = new RedisLink({ url, log, callTimeoutMs })
  }

  /** Resolves when connected; rejects with the last failure after `timeoutMs`. */
  async ready(timeoutMs: number): Promise<void> {
    await this.#link.ready(timeoutMs)
  }

  /** Whether the server persists its memory to disk, where salts would outlive their day. */
  async checkPersistence(): Promise<Persistence> {
    return await readPersistence(this.#link)
  }

  /** The server's version, and its wall-clock time in milliseconds. Rejects when it does not respond. */
  async readServer(): Promise<{ readonly version: string; readonly nowMs: number }> {
    const info = String(await this.#link.command(['INFO', 'server']))
    const time = await this.#link.command(['TIME'])
    assert(Array.isArray(time), 'TIME answers a list')
    const [seconds, micros] = time.map((part: unknown) => Number(String(part)))
    return {
      version: /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown',
      nowMs: (seconds ?? 0) * 1000 + (micros ?? 0) / 1000,
    }
  }

  async salt(day: number, offered: Uint8Array = randomBytes(SALT_BYTES)): Promise<SaltOutcome> {
    const expiryMs = dayExpiryMs(day)
    if (this.#clock.nowMs() >= expiryMs) return { status: 'expired' }
    try {
      const keys = [`${PREFIX}salt:${utcDayText(day)}`]
      const record = await this.#link.evaluate(OBTAIN_SALT_SCRIPT, {
        keys,
        args: [encodeSalt(day, offered), String(expiryMs)],
      })
      // The server's clock is ahead, so the day is already over for it.
      if (record === null) return { status: 'expired' }
      const salt = Buffer.isBuffer(record) ? decodeSalt(day, record) : undefined
      return salt === undefined ? { status: 'corrupt' } : { status: 'ok', salt }
    } catch (error) {
      return isWrongType(error) ? { status: 'corrupt' } : unavailable(error)
    }
  }

  async touchSessions(touches: readonly SessionTouch[]): Promise<TouchOutcome> {
    const candidates: Uint8Array[] = []
    const visitors = touches.map((touch) => {
      const chains = splitChains(touch)
      for (const { candidate } of chains) candidates.push(candidate)
      return [dayExpiryMs(touch.day), chains.map(({ times }) => times)]
    })
    try {
      const answer = await this.#link.evaluate(TOUCH_SESSIONS_SCRIPT, {
        keys: touches.map(({ day, id }) => `${PREFIX}session:${day}:${id}`),
        args: [this.#packer.pack(visitors), Buffer.concat(candidates)],
      })
      assert(Buffer.isBuffer(answer), 'the script answers a string')
      return { status: 'ok', visitors: readSessions(touches, answer) }
    } catch (error) {
      return unavailable(error)
    }
  }

  async takeTokens(
    demands: readonly TokenDemand[],
    { ratePerSecond, burst }: TokenRate,
  ): Promise<TakeOutcome> {
    try {
      const answer = await this.#link.evaluate(TAKE_TOKENS_SCRIPT, {
        keys: demands.map(({ key }) => `${PREFIX}tokens:${key}`),
        args: [ratePerSecond, burst, ...demands.flatMap(({ used, wanted }) => [used, wanted])].map(String),
      })
      assert(Array.isArray(answer) && answer.length === demands.length, 'the script answers each demand')
      return { status: 'ok', grants: answer.map(readGrant) }
    } catch (error) {
      return unavailable(error)
    }
  }

  async close(): Promise<void> {
    await this.#link.close()
  }
}

/**
 * Opens the shared store, and waits up to a second for the connection. An unreachable server does not fail the startup:
 * the store keeps retrying. Throws when the URL is invalid.
 */
export async function openRedisStateStore(options: RedisStateOptions): Promise<RedisStateStore> {
  const store = new RedisStateStore(options)
  // The link has logged the failure, and retries.
  await store.ready(FIRST_CONNECT_MS).catch(() => {})
  return store
}

/** Splits the script's reply into sessions; adjacent times in the same session share one string. */
function readSessions(touches: readonly SessionTouch[], answer: Buffer): VisitorSessions[] {
  let offset = 0
  let last: { readonly bytes: Buffer; readonly id: string | undefined } | undefined
  return touches.map(({ timesMs }) => ({
    status: 'ok',
    ids: timesMs.map(() => {
      const bytes = answer.subarray(offset, offset + UUID_BYTES)
      offset += UUID_BYTES
      if (last === undefined || !last.bytes.equals(bytes)) last = { bytes, id: readSession(bytes) }
      return last.id
    }),
  }))
}

function readSession(bytes: Buffer): string | undefined {
  assert(bytes.length === UUID_BYTES, 'the script answers one session for each time')
  return bytes.every((byte) => byte === 0) ? undefined : uuidText(bytes)
}

function readGrant(text: unknown): TokenGrant {
  const [granted, left] = String(text).split(' ').map(Number)
  assert(granted !== undefined && left !== undefined, 'the script answers two numbers for each demand')
  return { granted, left }
}

function isWrongType(error: unknown): boolean {
  return error instanceof ErrorReply && error.message.includes('WRONGTYPE')
}
