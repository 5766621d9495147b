import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { entryPath } from '../../kernel/installation.ts'
import { ENGINE_ENVIRONMENT, type EngineProcessInput } from './child-input.ts'

/** The end of an engine's process; `message` is its last lines on stderr. */
export type EngineExit = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly message: string
}

/** The process of an engine. */
export type EngineChild = {
  readonly pid: number
  readonly exited: Promise<EngineExit>
  /** Closes its stdin, which ends the engine cleanly; kills it if that takes longer than `timeoutMs`. */
  stop(timeoutMs: number): Promise<EngineExit>
  kill(): Promise<EngineExit>
}

const STDERR_LINES_MAX = 50
// Empty lines, and the engine's log location, which it prints at every start.
const NOISE = /^\s*$|^Logging \w+ to /
const ENTRY = entryPath('store/embedded/engine-process')

/** Starts the process; `onLine` receives its stderr, line by line. */
export function spawnEngine(input: EngineProcessInput, onLine: (line: string) => void): EngineChild {
  // Detached: a separate group, so that ctrl-C in a terminal reaches the parent only.
  const child = spawn(process.execPath, ['--no-warnings', ENTRY, JSON.stringify(input)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    env: ENGINE_ENVIRONMENT,
  })
  const exited = watchExit(child, onLine)
  const kill = () => {
    child.kill('SIGKILL')
    return exited
  }
  return { pid: child.pid ?? 0, exited, kill, stop: (timeoutMs) => stopChild({ child, exited, timeoutMs }) }
}

function watchExit(child: ChildProcess, onLine: (line: string) => void): Promise<EngineExit> {
  const tail: string[] = []
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (NOISE.test(line)) return
      tail.push(line)
      if (tail.length > STDERR_LINES_MAX) tail.shift()
      onLine(line)
    })
  }
  child.stdin?.on('error', () => {
    // The process has already ended: `close` reports it.
  })
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, message: error.message }))
    child.on('close', (code, signal) => resolve({ code, signal, message: tail.join('\n') }))
  })
}

async function stopChild(of: {
  readonly child: ChildProcess
  readonly exited: Promise<EngineExit>
  readonly timeoutMs: number
}): Promise<EngineExit> {
  of.child.stdin?.end()
  const timer = setTimeout(() => of.child.kill('SIGKILL'), of.timeoutMs)
  const exit = await of.exited
  clearTimeout(timer)
  return exit
}
