import { randomBytes } from 'node:crypto'
import type { DescMethod, JsonValue } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InsightsService } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { findAccessRule } from '../../src/control/access/role-table.ts'
import type { AccessRule } from '../../src/domain/role-rules.ts'
import { ALL_METHODS as METHODS, shortName } from '../harness/contract-services.ts'
import { type Costs, type CountedProcess, startCountedProcess } from '../harness/counted-process.ts'
import type { TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { CASES, type ForeignRequest } from './cases.ts'
import { callMethod, type Outcome } from './rpc.ts'
import { createTenant, inventNames, type Names, type Tenant } from './tenant.ts'
import { readWorld } from './world.ts'

/** Methods that the edge serves itself: what they cost cannot be counted here. */
const AT_EDGE: ReadonlySet<string> = new Set(['EventsService/BatchCreate', 'ProfilesSDKService/Identify'])

/** The headers of each caller. */
type Headers = Readonly<Record<string, string>>

/** The effects of a call, in words that are the same for every tenant. */
interface Seen extends Outcome {
  readonly costs: Costs
}

/** Walks over every method as one tenant with what belongs to another one. */
export function describeIsolation(start: () => Promise<TestService>): void {
  let service: TestService
  let counted: CountedProcess
  let mine: Tenant
  let theirs: Tenant
  let world: ReadonlyMap<string, string>

  beforeAll(async () => {
    service = await start()
    counted = await startCountedProcess(service)
    mine = await createTenant({ service, counted }, 'otter')
    theirs = await createTenant({ service, counted }, 'zebra')
    world = await readWorld({ service, counted }, theirs)
  })

  afterAll(async () => {
    await counted?.stop()
    await service?.destroy()
  })

  function callersOf(method: DescMethod): readonly Headers[] {
    const family = method.parent.typeName.split('.', 1)[0]
    const byKey = { 'x-api-key': mine.privateKey }
    if (family === 'public') return [{}]
    if (family === 'sdk') return [{ 'x-api-key': mine.publicKey }]
    const rule = ruleOf(method)
    const takesKey = family !== 'millrace' || (rule?.scope === 'project' && rule.only !== 'session')
    if (family === 'dashboard' || !takesKey) return [mine.asAdmin]
    return [byKey, mine.asAdmin, { ...byKey, 'x-project-id': theirs.names.projectId }]
  }

  async function see(method: DescMethod, request: JsonValue, headers: Headers): Promise<Seen> {
    const { url } = AT_EDGE.has(shortName(method)) ? service : counted
    counted.takeCosts()
    const outcome = await callMethod(method, request, { url, headers: { ...headers, ...FRESH } })
    return { ...outcome, costs: counted.takeCosts() }
  }

  async function seeNames(
    method: DescMethod,
    { request }: ForeignRequest,
    { names, headers }: { readonly names: Names; readonly headers: Headers },
  ): Promise<Seen> {
    const seen = await see(method, request(names, mine.names), headers)
    return { ...seen, text: withoutNames(seen.text, names) }
  }

  test('every method has a case', () => {
    expect(Object.keys(CASES).sort()).toEqual(METHODS.map(shortName).sort())
  })

  // Before the cases below, some of which send events of its kinds.
  test('a cached answer of one tenant is not given to another', async () => {
    const { query, segmentUsers, getFilterSchema } = InsightsService.method
    const calls = [query, segmentUsers, getFilterSchema].flatMap((method) =>
      (CASES[shortName(method)]?.requests ?? []).map(({ request }) => [method, request] as const),
    )
    const theirAnswers: string[] = []
    const myAnswers: string[] = []
    for (const [method, request] of calls) {
      const words = request({ ...theirs.names, usersToken: '', actorsToken: '' }, theirs.names)
      const call = async ({ privateKey }: Tenant, headers: Headers = {}): Promise<string> =>
        (
          await callMethod(method, words, {
            url: counted.url,
            headers: { 'x-api-key': privateKey, ...headers },
          })
        ).text
      theirAnswers.push(await call(theirs))
      const cached = await call(mine)
      expect(cached).toBe(await call(mine, FRESH))
      myAnswers.push(cached)
    }
    // A request may name what the other tenant has, and its answer repeat it: only the numbers and the lists differ.
    const different = theirAnswers.filter((answer, index) => answer !== myAnswers[index])
    expect(different.length).toBeGreaterThan(calls.length / 2)
    expect(theirAnswers.join()).toContain(theirs.marker)
  })

  describe.each(inOrder())('%s', (name, method) => {
    const requests = CASES[name]?.requests ?? []

    test.each(requests.map((request, index) => [index, request] as const))(
      'answers request %i about data of another tenant as about data that does not exist',
      async (_, request) => {
        for (const headers of callersOf(method)) {
          const look = async (names: Names): Promise<unknown> => {
            const { costs, ...outcome } = await seeNames(method, request, { names, headers })
            return { ...outcome, costs: costs.call }
          }
          // A first call finds out what later ones remember: how many devices the project has, for example.
          await look(invent())
          const foreign = await look(theirs.names)
          expect(foreign).toEqual(await look(invent()))
          expect(foreign).toMatchObject({ verdict: request.verdict })
          expect(JSON.stringify(foreign)).not.toContain(theirs.marker)
        }
      },
    )
  })

  test.each([...AT_EDGE])('a query process itself does not serve %s', async (name) => {
    const [method] = METHODS.filter((candidate) => shortName(candidate) === name)
    if (!method) throw new Error(`there is no ${name}`)
    const outcome = await callMethod(
      method,
      {},
      { url: counted.url, headers: { 'x-api-key': mine.publicKey } },
    )
    expect(outcome.verdict).toBe('unimplemented METHOD_NOT_FOUND')
  })

  describe.each(METHODS.flatMap((method) => gateOf(method)))('%s', (_, method, scope) => {
    test(`refuses a caller of another tenant the ${scope}`, async () => {
      const { authorization = '' } = mine.asAdmin
      const enter = async ({ orgId, projectId }: Names): Promise<Seen> =>
        scope === 'organisation'
          ? await see(method, { orgId }, { authorization })
          : await see(method, {}, { authorization, 'x-project-id': projectId })
      const { foreign, unknown } = await seeBoth(enter, theirs.names)
      expect(foreign.verdict).toBe('permission_denied ORG_NOT_A_MEMBER')
      // The one difference that the interface wants: an organisation or a project that is nowhere is not found.
      const missing = scope === 'organisation' ? 'ORG_NOT_FOUND' : 'PROJECT_NOT_FOUND'
      expect(unknown.verdict).toBe(`not_found ${missing}`)
      expect(foreign.costs).toEqual(unknown.costs)
      expect(foreign.text).not.toContain(theirs.marker)
    })
  })

  test('nothing of the other tenant has changed', async () => {
    await waitFor('my own last events', async () => {
      const event = { 'x-api-key': mine.privateKey, ...FRESH }
      const answer = await service.call(
        'shared.profiles.v1.ProfilesService/GetByExternalId',
        { externalId: theirs.names.externalId },
        event,
      )
      return answer.status === 200 ? true : undefined
    })
    const after = await readWorld({ service, counted }, theirs)
    expect([...after.keys()].filter((name) => after.get(name) !== world.get(name))).toEqual([])
    expect(after.size).toBe(world.size)
  })
}

/** Answers of a moment ago would hide what an answer costs. */
const FRESH = { 'cache-control': 'no-cache' }

/** Tries to enter another tenant's place, and one that is nowhere: again, when a cache forgot between the two. */
async function seeBoth(
  enter: (names: Names) => Promise<Seen>,
  theirs: Names,
): Promise<{ readonly foreign: Seen; readonly unknown: Seen }> {
  for (let left = TRIES; ; left--) {
    await enter(invent())
    await enter(theirs)
    const foreign = await enter(theirs)
    const unknown = await enter(invent())
    if (left === 1 || JSON.stringify(foreign.costs) === JSON.stringify(unknown.costs))
      return { foreign, unknown }
  }
}

/** A cache that forgets each time is none. */
const TRIES = 3

function invent(): Names {
  return inventNames(`unknown${randomBytes(4).toString('hex')}`)
}

/** Methods that keep what they are told come after all that could show it. */
function inOrder(): readonly (readonly [string, DescMethod])[] {
  const named = METHODS.map((method) => [shortName(method), method] as const)
  const keeps = ([name]: readonly [string, DescMethod]): number => (CASES[name]?.keeps ? 1 : 0)
  return named.toSorted((a, b) => keeps(a) - keeps(b)).filter(([name]) => CASES[name]?.requests.length !== 0)
}

function ruleOf({ parent, name }: DescMethod): AccessRule | undefined {
  return findAccessRule({ service: parent.typeName, method: name })
}

/** The memberships that a call of the method needs: any of its methods may name a project. */
function gateOf(method: DescMethod): readonly (readonly [string, DescMethod, 'organisation' | 'project'])[] {
  const rule = ruleOf(method)
  if (!rule) return []
  const inProject = [shortName(method), method, 'project'] as const
  return rule.scope === 'organisation'
    ? [[shortName(method), method, 'organisation'], inProject]
    : [inProject]
}

/** The answer with the request's names kept, and with placeholders for names that are new in each run. */
function withoutNames(text: string, names: Names): string {
  const spoken = Object.entries(names)
    .filter(([name]) => name !== 'projectId')
    .toSorted(([, a], [, b]) => b.length - a.length)
  let plain = text
  for (const [name, value] of spoken) plain = plain.replaceAll(value, `<${name}>`)
  return (
    plain
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/(pub|prv)_[^"]+/g, '<key>')
      .replaceAll(/\?token=[\w-]{43}/g, '?token=<token>')
      // A minute may end between two calls.
      .replaceAll(/"minutes":\[[^\]]*\]/g, '"minutes":<minutes>')
      .replaceAll(/"id":"\d+"/g, '"id":"<number>"')
  )
}
