import { createClient, ErrorReply, RESP_TYPES } from 'redis'
import { Backoff } from '../../kernel/backoff.ts'
import { sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { RedisScript } from './redis-scripts.ts'

/** Milliseconds for connecting, TLS and authentication together. */
const CONNECT_TIMEOUT_MS = 3000
const RECONNECT = { firstMs: 50, maxMs: 2000 } as const
/** Maximum calls in flight; beyond that, a call fails immediately. */
const CALLS_IN_FLIGHT_MAX = 1024

type Client = ReturnType<typeof createBareClient>

/** Server address and call timeout in milliseconds. */
export interface RedisLinkOptions {
  /** `redis://` or `rediss://`, with user, password and database number. */
  readonly url: string
  readonly callTimeoutMs: number
  readonly log: Logger
}

/** The arguments of a script. */
export interface ScriptCall {
  readonly keys: readonly string[]
  readonly args: readonly (string | Buffer)[]
}

/**
 * One connection to Redis that reconnects forever. Without a connection, and after a call that timed out, calls fail
 * immediately: nothing queues for an unavailable server.
 */
export class RedisLink {
  readonly #options: RedisLinkOptions
  readonly #stop = new AbortController()
  readonly #running: Promise<void>
  #client: Client | undefined
  #failure = new Error('not connected to Redis yet')
  #drop: (error: Error) => void = () => {}

  /** Starts connecting. Throws when the URL is invalid. */
  constructor(options: RedisLinkOptions) {
    this.#options = options
    assertRedisUrl(options.url)
    this.#running = this.#run()
  }

  /** Resolves when connected; rejects with the last failure after `timeoutMs`. */
  async ready(timeoutMs: number): Promise<void> {
    const giveUpMs = performance.now() + timeoutMs
    while (this.#client === undefined) {
      if (performance.now() >= giveUpMs) throw this.#failure
      await sleep(5)
    }
  }

  /**
   * Runs a script; its source is sent only when the server does not have it cached. Rejects with Redis's error or a
   * timeout.
   */
  async evaluate(script: RedisScript, { keys, args }: ScriptCall): Promise<unknown> {
    const tail = [String(keys.length), ...keys, ...args]
    try {
      return await this.command(['EVALSHA', script.sha1, ...tail])
    } catch (error) {
      if (!(error instanceof ErrorReply) || !error.message.startsWith('NOSCRIPT')) throw error
      return await this.command(['EVAL', script.source, ...tail])
    }
  }

  /** Sends one command; strings in the reply are buffers. Rejects with Redis's error or a timeout. */
  async command(args: readonly (string | Buffer)[]): Promise<unknown> {
    const client = this.#client
    if (client === undefined) throw this.#failure
    const { callTimeoutMs } = this.#options
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`Redis did not respond within ${callTimeoutMs} ms`)
        reject(error)
        if (this.#client === client) this.#drop(error)
      }, callTimeoutMs)
    })
    try {
      return await Promise.race([client.sendCommand(args), timeout])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Closes the connection; calls in flight fail. */
  async close(): Promise<void> {
    this.#stop.abort()
    this.#drop(new Error('the state store is closed'))
    await this.#running
  }

  async #run(): Promise<void> {
    const backoff = new Backoff(RECONNECT)
    let isKnown = false
    while (!this.#stop.signal.aborted) {
      const failure = await this.#connectOnce(() => {
        backoff.reset()
        isKnown = false
      })
      this.#failure = failure
      if (this.#stop.signal.aborted) return
      // Logged once per loss: the retries that follow fail the same way every two seconds.
      this.#options.log[isKnown ? 'debug' : 'warn']({ err: failure }, 'no connection to Redis')
      isKnown = true
      await sleep(backoff.next(), this.#stop.signal).catch(() => {})
    }
  }

  /** Keeps one connection until it ends, and returns the reason. */
  async #connectOnce(onReady: () => void): Promise<Error> {
    const client = createBareClient(this.#options.url)
    const ended = new Promise<Error>((resolve) => {
      this.#drop = resolve
      client.on('error', resolve)
    })
    const timer = setTimeout(
      () => this.#drop(new Error('connecting to Redis took too long')),
      CONNECT_TIMEOUT_MS,
    )
    const connected = client.connect().then(
      () => undefined,
      (error: Error) => error,
    )
    const early = await Promise.race([connected, ended])
    clearTimeout(timer)
    if (early === undefined) {
      this.#client = client
      onReady()
      this.#options.log.info('connected to Redis')
    }
    const failure = early ?? (await ended)
    this.#client = undefined
    client.destroy()
    return failure
  }
}

function createBareClient(url: string) {
  return createClient({
    url,
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_TIMEOUT_MS },
    disableOfflineQueue: true,
    commandsQueueMaxLength: CALLS_IN_FLIGHT_MAX,
    maintNotifications: 'disabled',
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
  })
}

/** The message omits the URL, which may contain a password. */
function assertRedisUrl(url: string): void {
  const parsed = URL.parse(url)
  if (parsed === null || !/^rediss?:$/.test(parsed.protocol) || !/^\/?\d*$/.test(parsed.pathname)) {
    throw new Error('the Redis URL is not redis[s]://[[user]:password@]host[:port][/database number]')
  }
}
