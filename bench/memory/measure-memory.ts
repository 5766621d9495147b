// How much memory the service takes on one machine: a while after its start, and after a million events and the questions of a
// dashboard. Processes share pages of their files, so the unit is the proportional set size, whose sum counts each page once.
// An engine of another service on this machine shares those of its library and makes this one look smaller.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { runCommand } from '../rig/run-command.ts'
import { type BenchService, startService } from '../rig/service.ts'
import { totalByDay } from '../rig/trends.ts'

const USAGE = 'npm run bench:memory -- [--events N]'
const COMMAND = fileURLToPath(import.meta.resolve('../../bin/millrace.js'))
const DAYS = 30
const DAY_MS = 86_400_000
const SEND_MS_MAX = 600_000

/** Processes return memory to the system in the second half minute without work. */
const QUIET_MS = 65_000

const SETTLE_MS_MAX = 180_000
const LOOK_EVERY_MS = 15_000
const STILL_MIB = 2

/** Questions that read every event several times. */
const ROUNDS = 20

await runCommand(USAGE, async (teardown) => {
  const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' } } })
  const service = await startService(teardown)
  await untilStill(service)
  report('idle', service)
  await sendEvents(service, values.events)
  await ask(service)
  report(`right after ${values.events} events and ${ROUNDS} questions`, service)
  await untilStill(service)
  report('a while later', service)
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

/** Resolves when the sum has stopped falling. */
async function untilStill({ proportionalMib }: BenchService): Promise<void> {
  await sleep(QUIET_MS)
  const endMs = monotonicMs() + SETTLE_MS_MAX
  let before = Number.POSITIVE_INFINITY
  for (;;) {
    const now = sumOf(proportionalMib())
    if (before - now < STILL_MIB || monotonicMs() > endMs) return
    before = now
    await sleep(LOOK_EVERY_MS)
  }
}

function report(moment: string, { proportionalMib }: BenchService): void {
  const byRole = proportionalMib()
  const parts = [...byRole].map(([role, mib]) => `${role} ${mib.toFixed(0)}`)
  process.stdout.write(`${moment}: ${sumOf(byRole).toFixed(0)} MiB (${parts.join(' · ')})\n`)
}

function sumOf(mibs: ReadonlyMap<string, number>): number {
  return [...mibs.values()].reduce((sum, mib) => sum + mib, 0)
}
