import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decodeAlert } from '../../src/control/alerts/alert.ts'
import { Channels } from '../../src/control/channels/channels.ts'
import { isMet } from '../../src/domain/alerts/alert-condition.ts'
import { sleep } from '../../src/kernel/clock.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { type Catalog, migrateCatalog, openCatalog } from '../../src/store/catalog/catalog.ts'
import { AlertsRig, signUps, trendOf } from '../harness/alerts-rig.ts'
import { type HttpDouble, startHttpDouble } from '../harness/http-double.ts'
import { waitFor } from '../harness/wait.ts'
import { type Alerting, clockOf, SEALER, startAlertingProcess, valueAt } from './alerting-process.ts'

/** Another run: `FAULT_SEED=7 npx vitest run test/faults/alerts.test.ts`; a long one has `FAULT_KILLS=500`. */
const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 32))
const killsMax = Number(process.env.FAULT_KILLS ?? 12)
const shown = `FAULT_SEED=${seed}`

const START_MS = Date.parse('2026-06-01T10:30:00Z')

/** Half a second of the machine is an hour. */
const SPEED = 7200

const ALERT_COUNT = 24

/** Longest time between two kills. */
const PAUSE_MS_MAX = 700

const TEST_MS_MAX = 60_000 + killsMax * PAUSE_MS_MAX * 2

let dataDir: string
let catalog: Catalog
let receiver: HttpDouble
const prng = new Prng(seed)
const processes: ChildProcess[] = []

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'alert-faults-'))
  catalog = openCatalog({ dataDir })
  await migrateCatalog(catalog)
  // Some attempts fail: a notification is then delivered again, with its id.
  receiver = await startHttpDouble(() => ({ status: prng.chance(0.1) ? 500 : 200 }))
})

afterEach(async () => {
  for (const child of processes) await kill(child)
  await receiver.stop()
  await catalog.destroy()
  rmSync(dataDir, { recursive: true, force: true })
})

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function addAlerts(clockMs: number): Promise<void> {
  const rig = new AlertsRig(catalog, clockMs)
  const projectId = await rig.addProject('Ours')
  const clock = { nowMs: () => clockMs }
  const config = { kind: 'webhook' as const, url: receiver.url, secret: `whsec_${'A'.repeat(43)}=` }
  const channel = await new Channels({ catalog, clock, sealer: SEALER }).create(projectId, {
    name: 'x',
    config,
  })
  const service = rig.connect(projectId)
  for (let index = 0; index < ALERT_COUNT; index++) {
    const condition = signUps().condition
    const threshold = 20 + prng.below(60)
    await service.create({
      content: signUps({
        name: `Alert ${index}`,
        // Some share their question.
        question: { case: 'spec', value: trendOf(`kind-${index % 16}`) },
        ...(condition ? { condition: { ...condition, threshold } } : {}),
        channelIds: [channel.id],
      }),
    })
  }
}

/** Kills one of the processes after a random time, again and again, and starts another in its place. */
async function runFaults(alerting: Alerting): Promise<void> {
  for (let index = 0; index < 2; index++) processes.push(await startAlertingProcess(alerting))
  for (let kills = 0; kills < killsMax; kills++) {
    await sleep(prng.below(PAUSE_MS_MAX))
    const index = prng.below(processes.length)
    const victim = processes[index]
    if (!victim) throw new Error('there is no process to kill')
    await kill(victim)
    processes[index] = await startAlertingProcess(alerting)
  }
  for (const child of processes) child.send('stop')
  await waitFor(
    'all jobs to end',
    async () => {
      const jobs = await catalog.selectFrom('jobs').select('id').execute()
      return jobs.length === 0 ? true : undefined
    },
    30_000,
  )
}

test(
  'processes that are killed and race make each notification once',
  async () => {
    const alerting = { place: { dataDir }, machineMs: Date.now(), startMs: START_MS, speed: SPEED }
    await addAlerts(clockOf(alerting).nowMs())
    await runFaults(alerting)
    const alerts = (await catalog.selectFrom('alerts').selectAll().execute()).map(decodeAlert)
    const expected: string[] = []
    let checkCount = 0
    for (const { id, content } of alerts) {
      const checks = await catalog
        .selectFrom('alert_checks')
        .selectAll()
        .where('alert_id', '=', id)
        .orderBy('to_ms')
        .execute()
      let told = false
      const kind =
        content.question.case === 'spec' ? (content.question.value.events[0]?.event?.kind ?? '') : ''
      for (const check of checks) {
        const value = valueAt(kind, check.from_ms)
        const isFiring = content.condition !== undefined && isMet(content.condition, value)
        expect([check.value, check.outcome], shown).toEqual([value, isFiring ? 'firing' : 'ok'])
        if (isFiring !== told) expected.push(`alert-${id}-${isFiring ? 'firing' : 'resolved'}-${check.to_ms}`)
        told = isFiring
        checkCount++
      }
    }
    expect(checkCount, shown).toBeGreaterThan(ALERT_COUNT)
    const received = Map.groupBy(receiver.requests, ({ headers }) => String(headers['webhook-id']))
    expect([...received.keys()].sort(), shown).toEqual(expected.sort())
    for (const requests of received.values())
      expect(new Set(requests.map(({ body }) => body)).size, shown).toBe(1)
  },
  TEST_MS_MAX,
)
