import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 25

/** Polls until the result is not `undefined`, and returns it. Throws with `what` after `timeoutMs`. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 20_000,
): Promise<T> {
  const giveUp = performance.now() + timeoutMs
  let lastError: unknown
  while (performance.now() < giveUp) {
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
    } catch (error) {
      lastError = error
    }
    await delay(POLL_MS)
  }
  throw new Error(`gave up waiting for ${what}`, { cause: lastError })
}

/** Below the ports that the system gives to outgoing connections, which may take one at any moment. */
const PORTS = { first: 20_000, end: 32_000 }

/** Each worker of vitest looks at ports of its own, or two may find the same one before either listens on it. */
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
