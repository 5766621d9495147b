import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Lane } from './lane.ts'
import { MUTATIONS } from './mutations.ts'

/*
 * `npm run mutations`: plants each mutation of the table in a copy of the work tree and runs the tests that must fail.
 * Words narrow the run to rows whose description or tests contain them. Fails when a mutation survives or does not load.
 * The tests first run without a mutation: those that fail anyway would notice everything. `--after-suite` leaves that out,
 * where all tests have just passed.
 */

const LANES = 2

/** Milliseconds that the runners have to stop. */
const CLOSE_MS_MAX = 20_000

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'after-suite': { type: 'boolean', default: false } },
})
const rows = MUTATIONS.filter(({ breaks, tests }) =>
  positionals.every((word) => `${breaks} ${tests}`.includes(word)),
)
if (rows.length === 0) throw new Error('no row of the table matches')
const startedMs = performance.now()
const lanes = await Promise.all(Array.from({ length: LANES }, async () => await Lane.open()))
let killed = 0
let isStuck = false
try {
  if (!values['after-suite']) {
    await share(
      [...new Set(rows.flatMap(({ tests }) => tests))],
      async (lane, file) => await lane.check(file),
    )
  }
  await share(rows, async (lane, row) => {
    const { outcome, path, detail } = await lane.judge(row)
    if (outcome === 'killed') killed++
    if (outcome === 'stuck') isStuck = true
    process.stdout.write(`${outcome.padEnd(8)} ${path}: ${row.breaks} (${detail})\n`)
  })
} finally {
  // A thread in an endless loop ends with the process only.
  await Promise.race([Promise.all(lanes.map(async (lane) => await lane.close())), sleep(CLOSE_MS_MAX)])
}
const seconds = Math.round((performance.now() - startedMs) / 1000)
process.stdout.write(`${killed} of ${rows.length} mutations killed in ${seconds} s\n`)
process.exit(killed === rows.length ? 0 : 1)

/** Does the work for all items, one at a time in each lane. */
async function share<T>(items: readonly T[], work: (lane: Lane, item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  await Promise.all(
    lanes.map(async (lane) => {
      for (const item of rest) {
        await work(lane, item)
        if (isStuck) return
      }
    }),
  )
}
