import { create, toJson } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import {
  type Visit,
  VisitsServiceGetRequestSchema,
  VisitsServiceGetResponseSchema,
  VisitsServiceListRequestSchema,
  VisitsServiceListResponseSchema,
} from '../../src/contract/gen/millrace/web/v1/visits_service_pb.js'
import {
  type QueryOverviewRequest,
  QueryOverviewRequestSchema,
} from '../../src/contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { Prng } from '../../src/kernel/prng.ts'
import { listVisits as queryVisits } from '../../src/query/visits/list-visits.ts'
import { readVisit } from '../../src/query/visits/read-visit.ts'
import { compareValues } from './compare.ts'
import { eventIdsOf, listVisits } from './web-reference.ts'
import { generateOverviewRequest } from './web-requests.ts'
import { type LoadedWebWorld, loadWebWorlds } from './web-worlds.ts'

const SEEDS = [411, 412, 413]
const LISTS_PER_WORLD = 6
const VISITS_PER_WORLD = 4
const HOUR_MS = 3_600_000

const { worlds, run } = loadWebWorlds(SEEDS)

/** All pages of a list, as plain values. */
async function readAll(
  { web, projectId }: LoadedWebWorld,
  { timeRange, filters, includeBots }: QueryOverviewRequest,
  { pageSize, nowMs }: { readonly pageSize: number; readonly nowMs: number },
): Promise<readonly unknown[]> {
  const visits: Visit[] = []
  let pageToken = ''
  do {
    const request = create(VisitsServiceListRequestSchema, {
      ...(timeRange && { timeRange }),
      filters,
      includeBots,
      pageSize,
      pageToken,
    })
    const call = { request, projectId, goals: web.goals, nowMs, run }
    const page = create(VisitsServiceListResponseSchema, await queryVisits(call))
    visits.push(...page.visits)
    pageToken = page.nextPageToken
  } while (pageToken !== '')
  return visits.map(plainVisit)
}

function plainVisit({ $typeName: _, startTime, endTime, visitor, ...rest }: Visit): unknown {
  return {
    ...rest,
    startMs: startTime && timestampMs(startTime),
    endMs: endTime && timestampMs(endTime),
    events: Number(rest.events),
    pageViews: Number(rest.pageViews),
    visitor: visitor && {
      id: visitor.id,
      profileId: visitor.profileId,
      isCookieless: visitor.isCookieless,
    },
  }
}

describe('the engine finds visits as the reference does', () => {
  test('in lists, page by page', { timeout: 300_000 }, async () => {
    const differences: unknown[] = []
    let visitCount = 0
    for (const loaded of worlds) {
      const rng = new Prng(loaded.web.seed)
      for (let index = 0; index < LISTS_PER_WORLD; index++) {
        const request = generateOverviewRequest(rng, loaded.web)
        const expected = listVisits(loaded.web, request)
        visitCount += expected.length
        const pageSize = Math.max(Math.ceil(expected.length / rng.pick([1, 3, 5])), 1)
        const nowMs = loaded.web.scene.anchorMs + rng.pick([-48, -1, 0, 1, 24, 2000]) * HOUR_MS
        const actual = await readAll(loaded, request, { pageSize, nowMs })
        const found = compareValues({ expected, actual })
        if (found.length > 0) differences.push([toJson(QueryOverviewRequestSchema, request), found])
      }
    }
    expect(differences).toEqual([])
    expect(visitCount).toBeGreaterThan(50)
  })

  test('one by one, with their events in order', { timeout: 300_000 }, async () => {
    const differences: unknown[] = []
    for (const { web, projectId } of worlds) {
      const rng = new Prng(web.seed + 1)
      for (let index = 0; index < VISITS_PER_WORLD; index++) {
        const { sessionId } = rng.pick(web.world.events)
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
