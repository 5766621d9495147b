import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep } from '../../src/kernel/clock.ts'
import { freePort } from './wait.ts'

const START_TIMEOUT_MS = 10_000

/** A Redis server for tests: its own process, port and folder, nothing written to disk unless `args` say so. */
export interface LocalRedis {
  readonly url: string
  readonly port: number
  /** Sends a signal to the server. */
  signal(name: NodeJS.Signals): void
  /** Kills the server and removes its folder. */
  stop(): Promise<void>
}

/** Starts a server on a free port, or on a given one. Throws, telling how to install it, when there is none. */
export async function startLocalRedis(
  options: { port?: number; args?: readonly string[] } = {},
): Promise<LocalRedis> {
  const port = options.port ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'millrace-redis-'))
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const server = spawn('redis-server', [...args, ...(options.args ?? [])], { stdio: 'ignore' })
  const stop = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null && server.pid !== undefined) {
      server.kill('SIGKILL')
      await once(server, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilListening(server, port)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `redis://127.0.0.1:${port}`, port, signal: (name) => server.kill(name), stop }
}

async function waitUntilListening(server: ChildProcess, port: number): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    server.once('error', (cause) =>
      reject(
        new Error('these tests need redis-server: apt-get install redis-server, or brew install redis', {
          cause,
        }),
      ),
    )
    server.once('exit', (code) => reject(new Error(`redis-server ended with code ${code}`)))
  })
  const giveUpMs = performance.now() + START_TIMEOUT_MS
  while (!(await Promise.race([isListening(port), failed]))) {
    if (performance.now() > giveUpMs) throw new Error('redis-server did not start to listen')
    await Promise.race([sleep(20), failed])
  }
  failed.catch(() => {})
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
