import { expect, test } from 'vitest'
import { IdentifySender, type OutgoingIdentify } from './send-identifies.ts'

const FREE = { externalId: 'ann', previousId: 'device', traits: { plan: 'free' } }
const PRO = { externalId: 'ann', traits: { plan: 'pro' } }

test.each<{
  readonly name: string
  readonly sent: readonly OutgoingIdentify[]
  readonly isNew: readonly boolean[]
}>([
  { name: 'a message is sent once', sent: [FREE, FREE], isNew: [true, false] },
  {
    name: 'a value that comes back after another one is sent again, whichever ids are with it',
    sent: [FREE, PRO, FREE, PRO],
    isNew: [true, true, true, true],
  },
  {
    name: 'two devices of one user in turn are claimed once each',
    sent: [FREE, { ...FREE, previousId: 'phone' }, FREE, { externalId: 'ann', previousId: 'phone' }],
    isNew: [true, true, false, false],
  },
  {
    name: 'a removed trait is another change',
    sent: [PRO, { externalId: 'ann', removedTraits: ['plan'] }, PRO, { ...PRO, externalId: 'bob' }],
    isNew: [true, true, true, true],
  },
  {
    name: 'a user without traits is told once',
    sent: [{ externalId: 'ann' }, { externalId: 'ann' }],
    isNew: [true, false],
  },
])('$name', ({ sent, isNew }) => {
  const sender = new IdentifySender(undefined)
  expect(sent.map((identify) => sender.isNew(identify))).toEqual(isNew)
})
