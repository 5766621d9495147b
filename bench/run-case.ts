import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchCase, CaseReport } from './case.ts'

/** Set-up, rounds and clean-up of the slowest case take a third of it on a busy machine. */
const CASE_MS_MAX = 600_000

/** After a request to stop, what the case opened is closed first. */
const STOP_MS_MAX = 60_000

/**
 * Measures a case in a separate process, of the sources in `root`; `rounds` undefined means the case's own number. Rejects when it
 * failed.
 */
export async function runCase(
  { name }: BenchCase,
  rounds: number | undefined,
  root = fileURLToPath(import.meta.resolve('..')),
): Promise<CaseReport> {
  const child = fork(join(root, 'bench/case-process.ts'), [name, String(rounds ?? 0)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let report: CaseReport | undefined
  child.once('message', (message: CaseReport) => {
    report = message
  })
  const exitCode = await untilGone(child)
  if (report && exitCode === 0) return report
  throw new Error(`${name} failed`)
}

async function untilGone(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit')
  const stop = setTimeout(() => child.kill('SIGTERM'), CASE_MS_MAX)
  const kill = setTimeout(() => child.kill('SIGKILL'), CASE_MS_MAX + STOP_MS_MAX)
  const [exitCode] = await exited
  clearTimeout(stop)
  clearTimeout(kill)
  return exitCode
}
