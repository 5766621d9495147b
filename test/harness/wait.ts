import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** How long to pause between two looks: a twentieth of the time waited so far, within these bounds. */
const POLL_MS = { min: 25, max: 1000 }
const POLL_SHARE = 1 / 20

/**
 * Polls until the result is not `undefined`, and returns it. Throws with `what` after `timeoutMs`. The longer it takes, the
 * rarer are the polls, so that a long wait leaves the processor to what it waits for.
 */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 20_000,
): Promise<T> {
  const startedMs = performance.now()
  let waitedMs = 0
  let lastError: unknown
  while (waitedMs < timeoutMs) {
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
    } catch (error) {
      lastError = error
    }
    await delay(Math.min(Math.max(POLL_MS.min, waitedMs * POLL_SHARE), POLL_MS.max))
    waitedMs = performance.now() - startedMs
  }
  throw new Error(`gave up waiting for ${what}`, { cause: lastError })
}

/** Below the ports that the system gives to outgoing connections, which may take one at any moment. */
const PORTS = { first: 20_000, end: 32_000 }

/** Each worker of vitest looks at separate ports, or two may find the same one before either listens on it. */
const WORKER_PORTS = 500
const WORKERS_MAX = (PORTS.end - PORTS.first) / WORKER_PORTS
const firstPort = PORTS.first + (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS_MAX) * WORKER_PORTS
let place = randomInt(WORKER_PORTS)

/** A port that was free a moment ago, and that this process was not given lately. */
export async function freePort(): Promise<number> {
  for (;;) {
    place = (place + 1) % WORKER_PORTS
    const port = firstPort + place
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}

/** True while a process of that id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
