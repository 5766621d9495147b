import { create } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import {
  VisitsServiceGetRequestSchema,
  VisitsServiceGetResponseSchema,
} from '../../src/contract/gen/millrace/web/v1/visits_service_pb.js'
import { Prng } from '../../src/kernel/prng.ts'
import { readVisit } from '../../src/query/visits/read-visit.ts'
import { compareValues } from './compare.ts'
import { hasSession } from './model.ts'
import { compareLists } from './visit-lists.ts'
import { eventIdsOf } from './web-reference.ts'
import { loadWebWorlds } from './web-worlds.ts'

const SEEDS = [411, 412, 413]
const LISTS_PER_WORLD = 16
const VISITS_PER_WORLD = 4

const { worlds, run } = loadWebWorlds(SEEDS)

describe('the engine finds visits as the reference does', () => {
  test('in lists, page by page', { timeout: 300_000 }, async () => {
    const lists = await compareLists(worlds, { listsPerWorld: LISTS_PER_WORLD }, run)
    expect(lists.differences).toEqual([])
    expect(lists.visitCount).toBeGreaterThan(30)
    expect(lists.narrowCount).toBeGreaterThan(1)
    expect(lists.visitsOfCohorts).toBeGreaterThan(5)
  })

  test('one by one, with their events in order', { timeout: 300_000 }, async () => {
    const differences: unknown[] = []
    for (const { web, projectId } of worlds) {
      const rng = new Prng(web.seed + 1)
      for (let index = 0; index < VISITS_PER_WORLD; index++) {
        const { sessionId } = rng.pick(web.world.events.filter(hasSession))
        const eventIds: string[] = []
        let [pageToken, eventCount] = ['', 0]
        do {
          const request = create(VisitsServiceGetRequestSchema, { sessionId, pageSize: 3, pageToken })
          const answer = create(VisitsServiceGetResponseSchema, await readVisit({ request, projectId, run }))
          eventIds.push(...answer.events.map(({ eventId }) => eventId))
          pageToken = answer.nextPageToken
          eventCount = Number(answer.visit?.events)
        } while (pageToken !== '')
        const expected = eventIdsOf(web, sessionId)
        const found = compareValues({ expected, actual: eventIds })
        if (found.length > 0 || eventCount !== expected.length) differences.push([sessionId, found])
      }
    }
    expect(differences).toEqual([])
  })
})
