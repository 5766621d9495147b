import { isDeepStrictEqual } from 'node:util'
import { toJson } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import {
  Dimension,
  QueryOverviewRequestSchema,
  type QueryTableRequest,
  QueryTableRequestSchema,
} from '../../src/contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { Prng } from '../../src/kernel/prng.ts'
import { compareValues } from './compare.ts'
import { generateUsedCohorts } from './generate-cohorts.ts'
import { projectOf } from './project-of.ts'
import { queryOverview, queryTable } from './web-answers.ts'
import { answerOverview, answerTable } from './web-reference.ts'
import { DIMENSION_NUMBERS, generateOverviewRequest, generateTableRequest } from './web-requests.ts'
import type { WebWorld } from './web-world.ts'
import { type LoadedWebWorld, loadWebWorlds } from './web-worlds.ts'

const SEEDS = [401, 402, 403, 404, 405, 406]
const OVERVIEWS_PER_WORLD = 30
const TABLES_PER_DIMENSION = 3
const TABLES_OF_COHORTS_PER_WORLD = 8

const { worlds, run } = loadWebWorlds(SEEDS)

function askedOf({ web, projectId }: LoadedWebWorld) {
  return { project: projectOf(web.world, projectId), goals: web.goals, run }
}

/** A request for a table of one or two cohorts that has rows, or nearly always so. */
function generateCohortTable(rng: Prng, web: WebWorld, attemptsLeft = 20): QueryTableRequest {
  const cohorts = generateUsedCohorts(rng, web)
  const request = { ...generateTableRequest(rng, web, rng.pick(DIMENSION_NUMBERS)), cohorts }
  const isUsed = attemptsLeft === 0 || answerTable(web, request).rows.length > 0
  return isUsed ? request : generateCohortTable(rng, web, attemptsLeft - 1)
}

describe('the engine measures visits as the reference does', () => {
  test('over time', { timeout: 300_000 }, async () => {
    const differences: unknown[] = []
    let visitCount = 0
    for (const loaded of worlds) {
      const rng = new Prng(loaded.web.seed)
      for (let index = 0; index < OVERVIEWS_PER_WORLD; index++) {
        const request = generateOverviewRequest(rng, loaded.web)
        const actual = await queryOverview(request, askedOf(loaded))
        visitCount += actual.visitCount
        const found = compareValues({ expected: answerOverview(loaded.web, request), actual: actual.plain })
        if (found.length > 0) differences.push([toJson(QueryOverviewRequestSchema, request), found])
      }
    }
    expect(differences).toEqual([])
    expect(visitCount).toBeGreaterThan(500)
  })

  test('of cohorts as if only the events of their users existed', { timeout: 300_000 }, async () => {
    const differences: unknown[] = []
    let [rowCount, narrowedCount] = [0, 0]
    for (const loaded of worlds) {
      const rng = new Prng(loaded.web.seed + 31)
      for (let index = 0; index < TABLES_OF_COHORTS_PER_WORLD; index++) {
        const request = generateCohortTable(rng, loaded.web)
        const actual = await queryTable(request, askedOf(loaded))
        const expected = answerTable(loaded.web, request)
        rowCount += actual.rows.length
        narrowedCount += isDeepStrictEqual(expected, answerTable(loaded.web, { ...request, cohorts: [] }))
          ? 0
          : 1
        const found = compareValues({ expected, actual })
        if (found.length > 0) differences.push([toJson(QueryTableRequestSchema, request), found])
      }
    }
    expect(differences).toEqual([])
    expect(rowCount).toBeGreaterThan(60)
    expect(narrowedCount).toBeGreaterThan(20)
  })

  test.each(DIMENSION_NUMBERS.map((dimension) => ({ name: Dimension[dimension], dimension })))(
    'by $name',
    { timeout: 300_000 },
    async ({ dimension }) => {
      const differences: unknown[] = []
      let rowCount = 0
      for (const loaded of worlds) {
        const rng = new Prng(loaded.web.seed + 1000 * dimension)
        for (let index = 0; index < TABLES_PER_DIMENSION; index++) {
          const request = generateTableRequest(rng, loaded.web, dimension)
          const actual = await queryTable(request, askedOf(loaded))
          rowCount += actual.rows.length
          const found = compareValues({ expected: answerTable(loaded.web, request), actual })
          if (found.length > 0) differences.push([toJson(QueryTableRequestSchema, request), found])
        }
      }
      expect(differences).toEqual([])
      expect(rowCount).toBeGreaterThan(3)
    },
  )
})
