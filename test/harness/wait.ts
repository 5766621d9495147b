import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 25

/** Asks until the answer is not `undefined`, and gives it back. Throws with `what` when `timeoutMs` is over. */
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

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has no port')
  return address.port
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
