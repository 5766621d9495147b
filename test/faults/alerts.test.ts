import { afterEach, beforeEach, expect, test } from 'vitest'
import { decodeAlert } from '../../src/control/alerts/alert.ts'
import { Channels } from '../../src/control/channels/channels.ts'
import { isMet } from '../../src/domain/alerts/alert-condition.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { AlertsRig, signUps, trendOf } from '../harness/alerts-rig.ts'
import { describeCatalog } from '../harness/describe-catalog.ts'
import { type HttpDouble, startHttpDouble } from '../harness/http-double.ts'
import { ALERTING_PROCESS, valueAt } from './alerting-process.ts'
import { clockOf, FAULT_SEED, RACE_MS_MAX, RacingJobs, SEALER } from './racing-jobs.ts'

const SHOWN = `FAULT_SEED=${FAULT_SEED}`
const START_MS = Date.parse('2026-06-01T10:30:00Z')

/** Half a second of the machine is an hour. */
const SPEED = 7200

const ALERT_COUNT = 24

describeCatalog('alerts', (under) => {
  let receiver: HttpDouble
  let prng: Prng
  let jobs: RacingJobs

  beforeEach(async () => {
    prng = new Prng(FAULT_SEED)
    jobs = new RacingJobs(ALERTING_PROCESS)
    // Some attempts fail: a notification is then delivered again, with its id.
    receiver = await startHttpDouble(() => ({ status: prng.chance(0.1) ? 500 : 200 }))
  })

  afterEach(async () => {
    await jobs.destroy()
    await receiver.stop()
  })

  async function addAlerts(clockMs: number): Promise<void> {
    const { catalog } = under
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

  test(
    'processes that are killed and race make each notification once',
    async () => {
      const { catalog, place } = under
      const times = { machineMs: Date.now(), startMs: START_MS, speed: SPEED }
      const race = { place, receiverUrl: receiver.url, ...times }
      await addAlerts(clockOf(race).nowMs())
      await jobs.run(race, { catalog, prng })
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
          const value = valueAt(kind, Number(check.from_ms))
          const isFiring = content.condition !== undefined && isMet(content.condition, value)
          expect([check.value, check.outcome], SHOWN).toEqual([value, isFiring ? 'firing' : 'ok'])
          if (isFiring !== told)
            expected.push(`alert-${id}-${isFiring ? 'firing' : 'resolved'}-${check.to_ms}`)
          told = isFiring
          checkCount++
        }
      }
      expect(checkCount, SHOWN).toBeGreaterThan(ALERT_COUNT)
      const received = Map.groupBy(receiver.requests, ({ headers }) => String(headers['webhook-id']))
      expect([...received.keys()].sort(), SHOWN).toEqual(expected.sort())
      for (const requests of received.values())
        expect(new Set(requests.map(({ body }) => body)).size, SHOWN).toBe(1)
    },
    RACE_MS_MAX,
  )
})
