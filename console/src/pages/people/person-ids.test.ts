import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { MergedIdSchema, ProfileSchema } from '@contract/shared/profiles/v1/profile_pb.js'
import { expect, test } from 'vitest'
import type { KnownPerson } from '../../people/read-person.ts'
import { countIds, listIds } from './person-ids.ts'

function person(
  externalId: string,
  mergedIds: readonly MessageInitShape<typeof MergedIdSchema>[],
  totalMergedIds = mergedIds.length,
): KnownPerson {
  const profile = create(ProfileSchema, { id: 'p-1', externalId })
  return { profile, mergedIds: mergedIds.map((merged) => create(MergedIdSchema, merged)), totalMergedIds }
}

const WITH_EVENTS = {
  id: 'anon-b',
  mergeTime: timestampFromMs(9000),
  firstEventTime: timestampFromMs(1000),
  lastEventTime: timestampFromMs(8000),
}
const WITHOUT_EVENTS = { id: 'anon-a', mergeTime: timestampFromMs(5000) }

test('an identified person has a user ID, a person ID and the merged IDs in their order', () => {
  expect(listIds(person('anna', [WITH_EVENTS, WITHOUT_EVENTS]))).toEqual([
    { id: 'anna', kind: 'people.userId' },
    { id: 'p-1', kind: 'people.personId' },
    {
      id: 'anon-b',
      kind: 'people.anonymousId',
      merge: { mergedMs: 9000, events: { firstMs: 1000, lastMs: 8000 } },
    },
    { id: 'anon-a', kind: 'people.anonymousId', merge: { mergedMs: 5000 } },
  ])
})

test('an anonymous person has one ID without a merge', () => {
  expect(listIds(person('', []))).toEqual([{ id: 'p-1', kind: 'people.anonymousId' }])
})

test.each([
  ['an anonymous person', person('', []), 1],
  ['a person without merges', person('anna', []), 2],
  ['a person whose merged IDs are all listed', person('anna', [WITH_EVENTS, WITHOUT_EVENTS]), 4],
  ['a person with more than the listed ones', person('anna', [WITH_EVENTS], 250), 252],
])('the number of IDs of %s is that of all of them', (_, of, count) => {
  expect(countIds(of)).toBe(count)
})
