import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { createScriptedRunner } from '../../../test/harness/scripted-runner.ts'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import { ListRequestSchema } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { encodePageToken } from '../../rpc/page-token.ts'
import type { QueryRunner } from '../sql/select.ts'
import { listProfiles, type ProfilesFrame } from './list-profiles.ts'

type Fields = Exclude<MessageInitShape<typeof ListRequestSchema>, { $typeName: string }>

const PROJECT = asProjectId(1)

function personOf(number: number): object {
  return { user: BigInt(number), id: `id-${number}`, externalId: '', createdMs: 1000 - number, updatedMs: 0 }
}

const people = (count: number): object[] => Array.from({ length: count }, (_, number) => personOf(number))

async function list(run: QueryRunner, fields: Fields = {}): Promise<ProfilesFrame[]> {
  const request = create(ListRequestSchema, fields)
  const frames: ProfilesFrame[] = []
  for await (const frame of listProfiles({ request, projectId: PROJECT, run })) frames.push(frame)
  return frames
}

async function statementOf(fields: Fields): Promise<string> {
  const { run, statements } = createScriptedRunner()
  await list(run, fields)
  return statements[0]?.text ?? ''
}

function filterBy(property: string, operator: FilterOperator, source?: PropertySource): Fields {
  return { filterGroups: [{ filters: [{ property, operator, value: 'x', ...(source && { source }) }] }] }
}

describe('a page of profiles', () => {
  test.each([
    [0, [0], false],
    [1, [1], false],
    [50, [50], false],
    [51, [50, 1], false],
    [100, [50, 50], false],
    [101, [50, 50], true],
  ])('with %i users left comes in messages of %j', async (count, sizes, hasNext) => {
    const frames = await list(createScriptedRunner(people(count)).run)
    expect(frames.map(({ profiles }) => profiles.length)).toEqual(sizes)
    const tokens = frames.map(({ nextPageToken }) => nextPageToken)
    const next = hasNext ? encodePageToken([1000 - 99, 'id-99']) : ''
    expect(tokens).toEqual([...tokens.slice(1).map(() => ''), next])
  })

  test.each([
    [0, 1],
    [100, 3],
    [201, 5],
  ])('of %i people without events takes %i statements', async (count, statementCount) => {
    const { run, statements } = createScriptedRunner(people(count))
    await list(run, { pageSize: 300 })
    expect(statements).toHaveLength(statementCount)
  })

  test('with counts takes no statement more, unless it has no rows', async () => {
    const counted = people(2).map((person) => ({ ...person, total: 9, matching: 2 }))
    const { run, statements } = createScriptedRunner(counted)
    const [frame] = await list(run, { withCounts: true })
    expect(frame).toMatchObject({ totalProfiles: 9n, matchingProfiles: 2n })
    expect(statements).toHaveLength(3)
    const none = createScriptedRunner()
    await list(none.run, { withCounts: true })
    expect(none.statements).toHaveLength(2)
  })

  test('asks for one user more than it returns', async () => {
    const { run, statements } = createScriptedRunner()
    await list(run)
    const [, limit = ''] = /LIMIT \{(p\d+):Int64\}$/.exec(statements[0]?.text ?? '') ?? []
    expect(statements[0]?.params[limit]).toBe(101)
  })

  test('continues after the last user of the previous one', async () => {
    const { run, statements } = createScriptedRunner()
    await list(run, { pageToken: encodePageToken([7, 'anna']) })
    const [, time = '', id = ''] =
      /\(sort_key, id\) < \(\{(p\d+):Int64\}, \{(p\d+):String\}\)/.exec(statements[0]?.text ?? '') ?? []
    expect([statements[0]?.params[time], statements[0]?.params[id]]).toEqual([7, 'anna'])
  })

  test.each([[['7', 'anna']], [[0.5, 'anna']], [[7]], [[7, 8]], [[]]])(
    'rejects the token of %j',
    async (values) => {
      await expect(
        list(createScriptedRunner().run, { pageToken: encodePageToken(values) }),
      ).rejects.toMatchObject({
        reason: 'INVALID_PAGE_TOKEN',
      })
    },
  )

  test('excludes deleted profiles, and anonymous users who are identified or deleted', async () => {
    const text = await statementOf({})
    expect(text).toContain(
      'WHERE identified > deletions.last_deleted OR deletions.last_deleted = toDateTime64(0, 3,',
    )
    const anonymous = text.slice(text.indexOf('FROM users'))
    const excluded = [...anonymous.matchAll(/ NOT IN \(SELECT .*?FROM (\w+) WHERE project = /g)]
    expect(excluded.map(([, table]) => table)).toEqual(['identity_claims', 'profiles', 'profile_deletions'])
  })
})

describe('a filter of users', () => {
  test('compares traits unless it names an auto property', async () => {
    expect(await statementOf(filterBy('plan', FilterOperator.EQUALS))).toContain('FROM traits FINAL')
    expect(await statementOf(filterBy('$country', FilterOperator.EQUALS, PropertySource.AUTO))).toContain(
      'AS latest FROM events',
    )
  })

  test('that users without a value match excludes those whose value does not', async () => {
    const matching = await statementOf(filterBy('$country', FilterOperator.EQUALS, PropertySource.AUTO))
    expect(matching).toMatch(/ AND user_hash IN \(SELECT canonical FROM .* WHERE latest/)
    const missing = await statementOf(filterBy('$country', FilterOperator.NOT_EQUALS, PropertySource.AUTO))
    expect(missing).toMatch(/ AND user_hash NOT IN \(SELECT canonical FROM .* WHERE NOT \(/)
  })

  test('cannot name a custom property of events', async () => {
    await expect(statementOf(filterBy('plan', FilterOperator.EQUALS, PropertySource.CUSTOM))).rejects.toThrow(
      'is an event property',
    )
  })
})
