import { systemClock } from '../../kernel/clock.ts'
import type { Settings } from '../../settings/settings.ts'
import { generateTraffic, type TrafficOptions } from '../../transfer/generate/generate-traffic.ts'
import { sendTraffic } from '../../transfer/generate/send-traffic.ts'
import { Progress } from '../../transfer/progress.ts'
import { createRetryNotice } from '../../transfer/send/retry-notice.ts'
import { ServiceClient } from '../../transfer/send/service-client.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { describeError, interruption, readCount, readInstant, readWords } from './command-words.ts'
import { findService } from './service-target.ts'

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  users: { type: 'string', default: '1000' },
  events: { type: 'string' },
  days: { type: 'string', default: '30' },
  until: { type: 'string' },
  rate: { type: 'string' },
  for: { type: 'string', default: '1h' },
  url: { type: 'string' },
  key: { type: 'string' },
} as const

const DAY_MS = 86_400_000
const MONTH_MS = 30 * DAY_MS
const CONNECTIONS = 8
const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS } as const

interface Plan extends TrafficOptions {
  readonly rate: number | undefined
}

/** `millrace generate`: sends the traffic of a fictional shop. Throws {@link FatalError}. */
export async function runGenerate(settings: Settings, words: readonly string[]): Promise<void> {
  const { values, positionals } = readWords(words, OPTIONS)
  if (positionals.length > 0)
    throw new FatalError(`unexpected argument ${positionals[0]}; generate takes options only`)
  const plan = readPlan(values)
  const target = findService(settings, { url: values.url, key: values.key })
  const signal = interruption()
  const client = new ServiceClient(target, {
    connectionsMax: CONNECTIONS,
    signal,
    onRetry: createRetryNotice(process.stderr),
  })
  const progress = new Progress({ output: process.stderr, unit: 'events', total: plan.events })
  try {
    const sent = await sendTraffic(generateTraffic(plan), {
      client,
      signal,
      progress,
      clock: systemClock,
      rate: plan.rate,
    })
    progress.finish()
    process.stdout.write(`sent ${sent} events of ${plan.users} users\n`)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new FatalError(describeError(error), { cause: error })
  } finally {
    client.close()
  }
}

function readPlan(values: {
  readonly seed: string
  readonly users: string
  readonly days: string
  readonly for: string
  readonly events?: string
  readonly until?: string
  readonly rate?: string
}): Plan {
  const seed = readCount(values.seed, { option: 'seed', min: 0, max: 2 ** 32 - 1 })
  const users = readCount(values.users, { option: 'users', min: 1, max: 1_000_000 })
  const events =
    values.events === undefined ? undefined : readCount(values.events, { option: 'events', min: 1, max: 1e9 })
  if (values.rate !== undefined) {
    if (events !== undefined)
      throw new FatalError('--rate and --events exclude each other; use --rate with --for')
    const rate = readCount(values.rate, { option: 'rate', min: 1, max: 1_000_000 })
    const spanMs = readSpan(values.for)
    const toMs = systemClock.nowMs()
    // Generates a month of traffic, whose events are then timed as they are sent.
    return { seed, users, rate, events: Math.ceil((rate * spanMs) / 1000), fromMs: toMs - MONTH_MS, toMs }
  }
  if (events === undefined) throw new FatalError('generate needs --events N, or --rate N with --for 1h')
  const days = readCount(values.days, { option: 'days', min: 1, max: 3650 })
  const toMs = values.until === undefined ? systemClock.nowMs() : readInstant(values.until, 'until')
  return { seed, users, events, rate: undefined, fromMs: toMs - days * DAY_MS, toMs }
}

function readSpan(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined) throw new FatalError('--for must be a duration such as 30s, 10m, 1h or 2d')
  return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]
}
