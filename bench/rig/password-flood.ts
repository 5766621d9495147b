import { Agent, request } from 'node:http'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'

/** What became of the wrong passwords. */
export interface FloodOutcome {
  /** Computed, and wrong. */
  readonly computed: number
  /** Not computed: too many at once. */
  readonly refused: number
}

const TICK_MS = 5

/**
 * Tries wrong passwords at an even rate until the signal says stop, each for an account and from an address of its own, so
 * that nothing but the work itself limits them. Who still waits then hangs up.
 */
export async function tryPasswords(options: {
  readonly url: string
  readonly perSecond: number
  readonly signal: AbortSignal
}): Promise<FloodOutcome> {
  const { url, perSecond, signal } = options
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const answers: Promise<number | undefined>[] = []
  const startMs = monotonicMs()
  while (!signal.aborted) {
    const due = Math.floor(((monotonicMs() - startMs) * perSecond) / 1000)
    while (answers.length < due) answers.push(tryOne({ url, agent, index: answers.length }))
    await sleep(TICK_MS)
  }
  agent.destroy()
  const statuses = (await Promise.all(answers)).filter((status) => status !== undefined)
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
