import autocannon, { type Options, type Result } from 'autocannon'
import { monotonicMs } from '../../src/kernel/clock.ts'
import { LatencyHistogram } from './latency-histogram.ts'
import { createLoadBodies } from './load-bodies.ts'
import type { LoadShape } from './load-command.ts'

/** Where a load goes. */
export interface LoadTarget {
  readonly url: string
  readonly key: string
}

/** The outcome of a load. */
export interface LoadResult {
  readonly seconds: number
  /** Events that were acknowledged. */
  readonly events: number
  readonly eventsPerSecond: number
  /** Acknowledged events of each second, in order. */
  readonly eachSecond: readonly number[]
  /** Milliseconds from sending to the answer, of all answers. */
  readonly latency: Readonly<Record<(typeof SHARES)[number]['name'] | 'max', number>>
  /** Answers by HTTP status and code. */
  readonly answers: Readonly<Record<string, number>>
  /** Connections that broke, and answers that did not come in time. */
  readonly errors: number
  readonly timeouts: number
}

/** The percentiles of a report. */
const SHARES = [
  { name: 'p50', share: 0.5 },
  { name: 'p90', share: 0.9 },
  { name: 'p99', share: 0.99 },
  { name: 'p99.9', share: 0.999 },
] as const

const CONTENT_TYPES = { json: 'application/json', binary: 'application/proto' } as const
const REQUEST_TIMEOUT_SECONDS = 30

/** Sends a load from this process. */
export async function sendTimedLoad({ url, key }: LoadTarget, shape: LoadShape): Promise<LoadResult> {
  const latencies = new LatencyHistogram()
  const answers: Record<string, number> = {}
  const eachSecond: number[] = []
  const startMs = monotonicMs()
  const takeAnswer = (status: number, body: string): void => {
    const answer = status === 200 ? '200 ok' : `${status} ${codeOf(body)}`
    answers[answer] = (answers[answer] ?? 0) + 1
    if (status !== 200) return
    const second = Math.floor((monotonicMs() - startMs) / 1000)
    while (eachSecond.length <= second) eachSecond.push(0)
    eachSecond[second] = (eachSecond[second] ?? 0) + shape.batch
  }
  const { errors, timeouts } = await runAutocannon(optionsOf({ url, key }, { shape, takeAnswer }), latencies)
  return summarise({
    latencies,
    answers,
    eachSecond,
    errors,
    timeouts,
    seconds: (monotonicMs() - startMs) / 1000,
  })
}

function optionsOf(
  { url, key }: LoadTarget,
  load: { readonly shape: LoadShape; readonly takeAnswer: (status: number, body: string) => void },
): Options {
  const { shape, takeAnswer } = load
  const nextBody = createLoadBodies(shape)
  return {
    url,
    connections: shape.connections,
    duration: shape.seconds,
    timeout: REQUEST_TIMEOUT_SECONDS,
    ...(shape.rate === 0 ? {} : { overallRate: Math.max(1, Math.round(shape.rate / shape.batch)) }),
    requests: [
      {
        method: 'POST',
        path: '/sdk.events.v1.EventsService/BatchCreate',
        headers: {
          'content-type': CONTENT_TYPES[shape.protocol],
          'connect-protocol-version': '1',
          'x-api-key': key,
        },
        setupRequest: (request) => ({ ...request, body: nextBody() }),
        onResponse: takeAnswer,
      },
    ],
  }
}

async function runAutocannon(options: Options, latencies: LatencyHistogram): Promise<Result> {
  return await new Promise((resolve, reject) => {
    const instance = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)))
    instance.on('response', (_client, _status, _bytes, responseMs) => latencies.record(responseMs))
  })
}

function summarise({
  latencies,
  eachSecond,
  seconds,
  ...rest
}: Pick<LoadResult, 'answers' | 'eachSecond' | 'errors' | 'timeouts' | 'seconds'> & {
  readonly latencies: LatencyHistogram
}): LoadResult {
  const events = eachSecond.reduce((sum, count) => sum + count, 0)
  const [p50, p90, p99, p999] = SHARES.map(({ share }) => latencies.percentile(share))
  const latency = { p50: p50 ?? 0, p90: p90 ?? 0, p99: p99 ?? 0, 'p99.9': p999 ?? 0, max: latencies.max }
  return { ...rest, seconds, events, eventsPerSecond: events / seconds, eachSecond, latency }
}

/** The code of an error in Connect's form; a proxy may answer with anything. */
function codeOf(body: string): string {
  return /"code":\s*"([a-z_]+)"/.exec(body)?.[1] ?? ''
}
