// What a start costs: CPU time of each process and time until the service is ready, from an empty folder and from one that is
// there. CPU time varies less than time on a machine with other work.
import { parseArgs } from 'node:util'
import { monotonicMs } from '../../src/kernel/clock.ts'
import { runCommand } from '../rig/run-command.ts'
import { startService } from '../rig/service.ts'
import { median } from '../summary.ts'
import { Teardown } from '../teardown.ts'

const USAGE = 'npm run bench:start -- [--rounds N]'

/** The cost of one start. */
interface Start {
  readonly seconds: number
  /** CPU seconds by role. */
  readonly cpu: ReadonlyMap<string, number>
}

await runCommand(USAGE, async (teardown) => {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
  const empty: Start[] = []
  const existing: Start[] = []
  for (let round = 0; round <= Number(values.rounds); round++) {
    const folder = teardown.temporaryFolder()
    const first = await measureStart(folder)
    const second = await measureStart(folder)
    // The first round reads the files of the installation from the disk.
    if (round === 0) continue
    empty.push(first)
    existing.push(second)
  }
  report('empty folder', empty)
  report('existing folder', existing)
})

/** Starts the service on a folder and stops it. */
async function measureStart(folder: string): Promise<Start> {
  const teardown = new Teardown()
  try {
    const startedMs = monotonicMs()
    const service = await startService(teardown, { SERVICE_DATA_DIR: folder })
    return { seconds: (monotonicMs() - startedMs) / 1000, cpu: service.cpuSeconds() }
  } finally {
    await teardown.run()
  }
}

function report(name: string, starts: readonly Start[]): void {
  const roles = [...(starts[0]?.cpu.keys() ?? [])]
  const parts = roles.map((role) => `${role} ${middle(starts.map(({ cpu }) => cpu.get(role) ?? 0))}`)
  const sum = middle(starts.map(({ cpu }) => [...cpu.values()].reduce((total, one) => total + one, 0)))
  const ready = middle(starts.map(({ seconds }) => seconds))
  process.stdout.write(`${name}: ready after ${ready} s, CPU ${sum} s (${parts.join(' · ')})\n`)
}

function middle(numbers: readonly number[]): string {
  return median(numbers).toFixed(2)
}
