import { expect, test } from 'vitest'
import { namePerson } from './person-name.ts'

const UUID = 'ed17fb48-4b7f-4e2b-9c7d-0123457f3a91'

test.each([
  [{ name: 'Ada', email: 'ada@mail.example' }, 'u1', ['Ada', 'ada@mail.example', false]],
  [{ email: 'ada@mail.example' }, 'u1', ['ada@mail.example', 'u1', false]],
  [{ first_name: 'Ada', last_name: 'King' }, 'u1', ['Ada King', 'u1', false]],
  [{ name: 7 }, 'u1', ['u1', '', false]],
  [{}, '', ['Visitor 7f3a91', 'Anonymous', true]],
])('%j of the user %j is shown as %j', (properties, externalId, shown) => {
  const { name, detail, isAnonymous } = namePerson({ id: UUID, externalId, properties })
  expect([name, detail, isAnonymous]).toEqual(shown)
})

test('a short anonymous ID is shown whole', () => {
  expect(namePerson({ id: 'anon-1', externalId: '' }).name).toBe('Visitor anon-1')
})
