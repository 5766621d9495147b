import { timestampDate } from '@bufbuild/protobuf/wkt'
import { beforeEach, expect, test } from 'vitest'
import { AlertsRig, alertOf, signUps, trendsOf } from '../../../test/harness/alerts-rig.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { startHttpDouble } from '../../../test/harness/http-double.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { AlertCadence } from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { ProjectId } from '../../contract/ids.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-06-01T10:30:00Z')

/** Shorter than the deadline of a request to a channel. */
const TOLD_MS_MAX = 8000

describeCatalog('alerts from their schedule to their channels', (under) => {
  let rig: AlertsRig
  let projectId: ProjectId

  beforeEach(async () => {
    rig = new AlertsRig(under.catalog, START_MS)
    projectId = await rig.addProject('Ours')
    rig.answer = () => trendsOf(11)
  })

  test('a daily alert follows the zone of its project: whole days of the new zone, none twice', async () => {
    const service = rig.connect(projectId)
    const { id } = alertOf(await service.create({ content: signUps({ cadence: AlertCadence.DAILY }) }))
    const moves: Readonly<Record<string, string>> = {
      '2026-06-02T12:30:00.000Z': 'America/New_York',
      '2026-06-03T12:30:00.000Z': 'Asia/Tokyo',
    }
    for (let hour = 0; hour < 96; hour++) {
      rig.nowMs += HOUR_MS
      const zone = moves[new Date(rig.nowMs).toISOString()]
      if (zone !== undefined)
        await under.catalog
          .updateTable('projects')
          .set({ reporting_timezone: zone })
          .where('id', '=', projectId)
          .execute()
      await rig.runDue()
    }
    const { checks } = await service.listChecks({ alertId: id })
    const units = checks.map(({ from, to }) =>
      [from, to].map((time) => time && timestampDate(time).toISOString().slice(5, 13)).join(' to '),
    )
    expect(units.toReversed()).toEqual([
      '06-01T00 to 06-02T00',
      '06-02T04 to 06-03T04',
      '06-03T15 to 06-04T15',
    ])
    expect(rig.asked.map(({ timezone }) => timezone)).toEqual(['UTC', 'America/New_York', 'Asia/Tokyo'])
  })

  test('a channel whose host hangs does not hold up the others', async () => {
    const hanging = await startHttpDouble(() => undefined)
    const healthy = await startHttpDouble(() => ({ status: 200 }))
    const channelIds = [
      await rig.addChannel(projectId, hanging.url),
      await rig.addChannel(projectId, healthy.url),
    ]
    const names = ['First', 'Second', 'Third']
    for (const name of names) await rig.connect(projectId).create({ content: signUps({ name, channelIds }) })
    rig.nowMs += HOUR_MS
    await rig.runDue()
    const runner = rig.startDeliveries()
    try {
      const isTold = () => (healthy.requests.length === names.length ? true : undefined)
      await waitFor('the other channel to be told', isTold, TOLD_MS_MAX)
      const titles = healthy.requests.map(({ body }) =>
        names.filter((name) => body.includes(`${name} is firing`)),
      )
      expect(titles.flat().toSorted()).toEqual(names)
      const stuck = await rig.deliveriesOf(channelIds[0] ?? '')
      expect(stuck.map(({ state, attempts }) => [state, attempts])).toEqual(names.map(() => ['pending', 0]))
    } finally {
      await hanging.stop()
      await runner.stop()
      await healthy.stop()
    }
  })
})
