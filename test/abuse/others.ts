import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { BATCH_CREATE, makeEvent } from '../harness/events.ts'
import { ask, JSON_CALL } from './client.ts'
import { ADMIN, type Target } from './target.ts'

/** One kind of call that others make all the time. */
interface Habit {
  readonly name: string
  /** Milliseconds between one answer and the next call. */
  readonly pauseMs: number
  call(service: Target): Parameters<typeof ask>[1]
}

/** The outcomes of the calls of one habit. */
export interface Experience {
  readonly name: string
  /** Of all calls, those that failed included, which count as the longest wait. */
  readonly medianMs: number
  readonly maxMs: number
  readonly count: number
  /** Outcomes other than an answer of status 200. */
  readonly failures: readonly string[]
}

/** As long as a user waits. */
const PATIENCE_MS = 10_000

/** The network of all honest callers behind a proxy. */
const HONEST_NETWORK = { 'x-forwarded-for': '198.51.100.7' }

const RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-12-31T00:00:00Z' }

const HABITS: readonly Habit[] = [
  {
    name: 'List',
    pauseMs: 100,
    call: ({ privateKey }) => ({
      path: '/shared.profiles.v1.ProfilesService/List',
      headers: {
        ...HONEST_NETWORK,
        'content-type': 'application/connect+json',
        'connect-protocol-version': '1',
        'x-api-key': privateKey,
      },
      body: Buffer.from([0, 0, 0, 0, 2, 0x7b, 0x7d]),
    }),
  },
  {
    name: 'Query',
    pauseMs: 150,
    call: ({ privateKey }) => ({
      path: '/shared.insights.v1.InsightsService/Query',
      headers: { ...HONEST_NETWORK, ...JSON_CALL, 'x-api-key': privateKey, 'cache-control': 'no-cache' },
      body: JSON.stringify({
        spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION' },
        granularity: 'GRANULARITY_DAY',
        timeRange: RANGE,
      }),
    }),
  },
  {
    name: 'BatchCreate',
    pauseMs: 100,
    call: ({ other }) => ({
      path: `/${BATCH_CREATE}`,
      headers: { ...HONEST_NETWORK, ...JSON_CALL, 'x-api-key': other.publicKey },
      body: JSON.stringify({ events: [makeEvent({ distinctId: randomUUID() })] }),
    }),
  },
  {
    name: 'sign-in',
    pauseMs: 600,
    call: () => ({
      path: '/public.auth.v1.AuthService/SignInWithEmail',
      headers: { ...HONEST_NETWORK, ...JSON_CALL },
      body: JSON.stringify(ADMIN),
    }),
  },
  { name: 'healthz', pauseMs: 100, call: () => ({ path: '/healthz', method: 'GET', headers: {} }) },
]

/** Calls what others call until `untilMs`, each habit one call at a time on fresh connections. */
export async function liveAsOthers(service: Target, untilMs: number): Promise<readonly Experience[]> {
  return await Promise.all(
    HABITS.map(async (habit) => {
      const waits: number[] = []
      const failures: string[] = []
      do {
        const startedMs = performance.now()
        try {
          const asked = habit.call(service)
          const { status, body } = await ask(service.url, {
            ...asked,
            from: service.honest,
            timeoutMs: PATIENCE_MS,
          })
          waits.push(status === 200 ? performance.now() - startedMs : PATIENCE_MS)
          if (status !== 200) failures.push(`${status} ${body.toString().slice(0, 120)}`)
        } catch (error) {
          waits.push(PATIENCE_MS)
          failures.push(error instanceof Error ? `${error.message} (${describeCause(error)})` : 'unknown')
        }
        await delay(habit.pauseMs)
      } while (performance.now() < untilMs)
      waits.sort((a, b) => a - b)
      return {
        name: habit.name,
        medianMs: waits[Math.floor((waits.length - 1) / 2)] ?? PATIENCE_MS,
        maxMs: waits.at(-1) ?? PATIENCE_MS,
        count: waits.length,
        failures,
      }
    }),
  )
}

function describeCause({ cause }: Error): string {
  return cause instanceof Error ? cause.message : String(cause)
}
