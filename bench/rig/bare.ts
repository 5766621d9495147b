import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../src/store/embedded/readiness.ts'
import type { Teardown } from '../teardown.ts'
import { processCpuSeconds } from './cpu.ts'

/** A uWebSockets.js server that does nothing, in a separate process. */
export interface BareServer {
  readonly url: string
  cpuSeconds(): number
}

/** Starts one on a free port. */
export async function startBareServer(teardown: Teardown): Promise<BareServer> {
  const port = await findFreePort()
  const child = fork(fileURLToPath(import.meta.resolve('./bare-server.ts')), [String(port)])
  teardown.defer(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const [state] = await once(child, 'message')
  if (state !== 'listening' || child.pid === undefined) throw new Error('the bare server could not listen')
  const { pid } = child
  return { url: `http://127.0.0.1:${port}`, cpuSeconds: () => processCpuSeconds(pid) }
}
