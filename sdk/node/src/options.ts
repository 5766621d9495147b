import type { Options } from './api.ts'

/** Options with every default. */
export type Settings = {
  readonly [Name in Exclude<keyof Options, 'onError'>]-?: NonNullable<Options[Name]>
}

/** The service takes no more at once. */
const BATCH_EVENTS_MAX = 1000
const MIB = 1024 * 1024
/** The longest time of a timer. */
const TIMER_MS_MAX = 2 ** 31 - 1

/** The options with their defaults. Throws a `TypeError` for an option that cannot work. */
export function readOptions(options: Options): Settings {
  const { key, url, whenFull = 'drop-newest', compression = 'gzip', flushOn = ['beforeExit'] } = options
  if (typeof key !== 'string' || !/^(pub|prv)_[\w-]+$/.test(key)) {
    throw new TypeError('key must be a key of a project, such as prv_...')
  }
  if (typeof url !== 'string' || !isAddress(url)) {
    throw new TypeError('url must be the address of the service, such as https://analytics.example.com')
  }
  assertOneOf('whenFull', whenFull, ['drop-newest', 'drop-oldest'])
  assertOneOf('compression', compression, ['gzip', 'none'])
  for (const moment of flushOn) assertOneOf('flushOn', moment, ['beforeExit', 'SIGTERM'])
  return {
    key,
    url,
    whenFull,
    compression,
    flushOn,
    batchEventsMax: readCount('batchEventsMax', options.batchEventsMax ?? 500, BATCH_EVENTS_MAX),
    flushIntervalMs: readCount('flushIntervalMs', options.flushIntervalMs ?? 3_000, TIMER_MS_MAX),
    queueEventsMax: readCount('queueEventsMax', options.queueEventsMax ?? 10_000, Number.MAX_SAFE_INTEGER),
    queueBytesMax: readCount('queueBytesMax', options.queueBytesMax ?? 32 * MIB, Number.MAX_SAFE_INTEGER),
    requestTimeoutMs: readCount('requestTimeoutMs', options.requestTimeoutMs ?? 30_000, TIMER_MS_MAX),
    flushTimeoutMs: readCount('flushTimeoutMs', options.flushTimeoutMs ?? 10_000, TIMER_MS_MAX),
  }
}

/** A query or an anchor would end up in the middle of the address of a call. */
function isAddress(text: string): boolean {
  try {
    const { protocol, search, hash } = new URL(text)
    return /^https?:$/.test(protocol) && search + hash === ''
  } catch {
    return false
  }
}

function assertOneOf(name: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw new TypeError(`${name} must be ${choices.join(' or ')}`)
}

function readCount(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new TypeError(`${name} must be a whole number from 1 to ${max}`)
}
