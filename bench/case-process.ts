import type { CaseReport, Sample } from './case.ts'
import { CASES } from './cases.ts'
import { Teardown } from './teardown.ts'

/**
 * The process of one case: `node bench/case-process.ts <name> [rounds]`, with an IPC channel to its parent process.
 * It sends one {@link CaseReport}.
 */
const teardown = new Teardown()
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
process.on('disconnect', () => void stop())

try {
  await report(await measure(process.argv[2] ?? '', Number(process.argv[3] ?? 0)))
  await teardown.run()
  process.exit(0)
} catch (error) {
  if (!isStopping) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  await teardown.run()
  process.exit(1)
}

async function measure(name: string, rounds: number): Promise<readonly Sample[]> {
  const benchCase = CASES.find((candidate) => candidate.name === name)
  if (!benchCase) throw new Error(`there is no case ${name}`)
  const measureRound = await benchCase.prepare(teardown)
  // The first round warms up: compilers, connections, page cache.
  await measureRound()
  const samples: Sample[] = []
  for (let round = 0; round < (rounds || benchCase.rounds); round++) samples.push(await measureRound())
  return samples
}

async function report(samples: readonly Sample[]): Promise<void> {
  const message: CaseReport = { samples }
  await new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()))
}

async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  await teardown.run()
  process.exit(1)
}
