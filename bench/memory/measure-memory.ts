// How much memory the service takes on one machine: a while after its start, and after a million events and the questions of a
// dashboard. Processes share pages of their files, so the unit is the proportional set size, whose sum counts each page once.
// An engine of another service on this machine shares those of its library and makes this one look smaller.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { BUSY_SHARE } from '../../src/kernel/memory/quiet-periods.ts'
import { runCommand } from '../rig/run-command.ts'
import { type BenchService, startService } from '../rig/service.ts'
import { totalByDay } from '../rig/trends.ts'

const USAGE = 'npm run bench:memory -- [--events N]'
const COMMAND = fileURLToPath(import.meta.resolve('../../bin/millrace.js'))
const DAYS = 30
const DAY_MS = 86_400_000
const SEND_MS_MAX = 600_000

const LOOK_EVERY_MS = 15_000

/** Each process looks every half minute whether it is quiet, and returns memory after a half minute that was: both are over by then. */
const QUIET_LOOKS = 5

/** Merges, and the computation of visits, take minutes on a busy machine. */
const SETTLE_MS_MAX = 900_000

/** Questions that read every event several times. */
const ROUNDS = 20

await runCommand(USAGE, async (teardown) => {
  const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' } } })
  const service = await startService(teardown)
  report(`idle, ${await untilQuiet(service)}`, service)
  await sendEvents(service, values.events)
  await ask(service)
  report(`right after ${values.events} events and ${ROUNDS} questions`, service)
  report(`later, ${await untilQuiet(service)}`, service)
})

async function sendEvents({ url, privateKey }: BenchService, count: string): Promise<void> {
  const words = ['generate', '--events', count, '--days', String(DAYS), '--users', '20000', '--url', url]
  await promisify(execFile)(process.execPath, [COMMAND, ...words, '--key', privateKey], {
    timeout: SEND_MS_MAX,
  })
}

async function ask(service: BenchService): Promise<void> {
  const toMs = Date.now()
  const request = totalByDay({ fromMs: toMs - DAYS * DAY_MS, toMs })
  for (let round = 0; round < ROUNDS; round++) await service.query(request)
}

/** Resolves when all processes have been quiet for long enough to have returned their memory, with the time that it took. */
async function untilQuiet(service: BenchService): Promise<string> {
  const startMs = monotonicMs()
  let [quietLooks, last] = [0, { ms: startMs, cpuSeconds: service.cpuSeconds() }]
  while (quietLooks < QUIET_LOOKS && monotonicMs() - startMs < SETTLE_MS_MAX) {
    await sleep(LOOK_EVERY_MS)
    const now = { ms: monotonicMs(), cpuSeconds: service.cpuSeconds() }
    const seconds = (now.ms - last.ms) / 1000
    const shares = [...now.cpuSeconds].map(
      ([role, cpu]) => (cpu - (last.cpuSeconds.get(role) ?? 0)) / seconds,
    )
    quietLooks = Math.max(...shares) < BUSY_SHARE ? quietLooks + 1 : 0
    last = now
  }
  const seconds = ((monotonicMs() - startMs) / 1000).toFixed(0)
  return quietLooks === QUIET_LOOKS ? `quiet after ${seconds} s` : `still working after ${seconds} s`
}

function report(moment: string, { proportionalMib }: BenchService): void {
  const byRole = proportionalMib()
  const parts = [...byRole].map(([role, mib]) => `${role} ${mib.toFixed(0)}`)
  process.stdout.write(`${moment}: ${sumOf(byRole).toFixed(0)} MiB (${parts.join(' · ')})\n`)
}

function sumOf(mibs: ReadonlyMap<string, number>): number {
  return [...mibs.values()].reduce((sum, mib) => sum + mib, 0)
}
