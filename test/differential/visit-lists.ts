import { create, toJson } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type Visit,
  type VisitsServiceListRequest,
  VisitsServiceListRequestSchema,
  VisitsServiceListResponseSchema,
} from '../../src/contract/gen/millrace/web/v1/visits_service_pb.js'
import { Prng } from '../../src/kernel/prng.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { type ListVisitsCall, listVisits as queryVisits } from '../../src/query/visits/list-visits.ts'
import { compareValues } from './compare.ts'
import { projectOf } from './project-of.ts'
import { generateListRequest, generatePreselections } from './visit-requests.ts'
import { listVisits } from './web-reference.ts'
import type { WebWorld } from './web-world.ts'
import type { LoadedWebWorld } from './web-worlds.ts'

const HOUR_MS = 3_600_000

/** Lists that were compared. */
export interface ListComparison {
  /** Visits of all lists. */
  readonly visitCount: number
  /** Lists with a visit, and with a condition that leaves out another. */
  readonly narrowCount: number
  /** Visits of the lists of cohorts. */
  readonly visitsOfCohorts: number
  readonly differences: readonly unknown[]
}

/** Lists visits of each world page by page, as the engine and as the reference find them. */
export async function compareLists(
  worlds: readonly LoadedWebWorld[],
  { listsPerWorld }: { readonly listsPerWorld: number },
  run: QueryRunner,
): Promise<ListComparison> {
  const differences: unknown[] = []
  let [visitCount, narrowCount, visitsOfCohorts] = [0, 0, 0]
  for (const { web, projectId } of worlds) {
    const rng = new Prng(web.seed)
    for (let index = 0; index < listsPerWorld; index++) {
      const request = generateListRequest(rng, web)
      const expected = listVisits(web, request)
      visitCount += expected.length
      narrowCount += isNarrow(web, request, expected.length) ? 1 : 0
      visitsOfCohorts += request.cohorts.length > 0 ? expected.length : 0
      const pageSize = Math.max(Math.ceil(expected.length / rng.pick([1, 3, 5])), 1)
      const nowMs = web.scene.anchorMs + rng.pick([-48, -1, 0, 1, 24, 2000]) * HOUR_MS
      const preselections = generatePreselections(rng)
      const project = projectOf(web.world, projectId)
      const call = { project, goals: web.goals, nowMs, run, ...(preselections && { preselections }) }
      const actual = await readAll({ ...request, pageSize }, call)
      const found = compareValues({ expected, actual })
      if (found.length > 0)
        differences.push([toJson(VisitsServiceListRequestSchema, request), preselections, found])
    }
  }
  return { visitCount, narrowCount, visitsOfCohorts, differences }
}

function isNarrow(web: WebWorld, request: VisitsServiceListRequest, visitCount: number): boolean {
  const { timeRange, includeBots } = request
  const all = create(VisitsServiceListRequestSchema, { ...(timeRange && { timeRange }), includeBots })
  return visitCount > 0 && visitCount < listVisits(web, all).length
}

/** All pages of a list, as plain values. */
async function readAll(
  first: VisitsServiceListRequest,
  call: Omit<ListVisitsCall, 'request'>,
): Promise<readonly unknown[]> {
  const visits: Visit[] = []
  let request = first
  do {
    const page = create(VisitsServiceListResponseSchema, await queryVisits({ ...call, request }))
    visits.push(...page.visits)
    request = { ...first, pageToken: page.nextPageToken }
  } while (request.pageToken !== '')
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
