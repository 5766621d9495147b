import { Agent, request } from 'node:http'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'

/** The outcomes of the attempts with wrong passwords. */
export interface FloodOutcome {
  /** Computed, and wrong. */
  readonly computed: number
  /** Not computed: too many at once. */
  readonly refused: number
}

const TICK_MS = 5

/** The rate of attempts: per second, or one at a time for each of several clients. */
export type FloodPlan = { readonly perSecond: number } | { readonly clients: number }

/**
 * Tries wrong passwords until the signal aborts, each for another account and from another address, so that only the work
 * itself limits them. Clients that still wait then hang up.
 */
export async function tryPasswords(
  plan: FloodPlan,
  { url, signal }: { readonly url: string; readonly signal: AbortSignal },
): Promise<FloodOutcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const statuses: (number | undefined)[] = []
  let attempts = 0
  const attempt = async (): Promise<void> => {
    statuses.push(await tryOne({ url, agent, index: attempts++ }))
  }
  signal.addEventListener('abort', () => agent.destroy())
  await ('clients' in plan ? keepTrying(plan, attempt, signal) : tryEvenly(plan, attempt, signal))
  return summarise(statuses.filter((status) => status !== undefined))
}

async function keepTrying(
  { clients }: { readonly clients: number },
  attempt: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const tryOnAndOn = async (): Promise<void> => {
    while (!signal.aborted) await attempt()
  }
  await Promise.all(Array.from({ length: clients }, tryOnAndOn))
}

async function tryEvenly(
  { perSecond }: { readonly perSecond: number },
  attempt: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const attempts: Promise<void>[] = []
  const startMs = monotonicMs()
  while (!signal.aborted) {
    const due = Math.floor(((monotonicMs() - startMs) * perSecond) / 1000)
    while (attempts.length < due) attempts.push(attempt())
    await sleep(TICK_MS)
  }
  await Promise.all(attempts)
}

function summarise(statuses: readonly number[]): FloodOutcome {
  const count = (wanted: number): number => statuses.filter((status) => status === wanted).length
  const outcome = { computed: count(401), refused: count(429) }
  if (outcome.computed + outcome.refused === statuses.length) return outcome
  throw new Error(`wrong passwords were answered with ${[...new Set(statuses)].join(', ')}`)
}

async function tryOne({
  url,
  agent,
  index,
}: {
  readonly url: string
  readonly agent: Agent
  readonly index: number
}): Promise<number | undefined> {
  const body = JSON.stringify({ email: `${index}@example.org`, password: 'wrong' })
  const headers = {
    'content-type': 'application/json',
    'connect-protocol-version': '1',
    'x-forwarded-for': `100.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
  }
  const method = `${url}/public.auth.v1.AuthService/SignInWithEmail`
  return await new Promise((resolve) => {
    const sent = request(method, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    // Hung up.
    sent.once('error', () => resolve(undefined))
    sent.end(body)
  })
}
