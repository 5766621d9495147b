import { expect, test } from 'vitest'
import { Sealer } from '../../kernel/sealer.ts'
import { openTicket, sealTicket, TICKET_MS } from './consent-ticket.ts'

const ANSWER = { kind: 'connected', grantId: 'grant', customerId: 'ada' } as const

/** The ports of a process at a time. */
const portsAt = (nowMs: number, key = 7) => ({
  clock: { nowMs: () => nowMs },
  sealer: new Sealer(Buffer.alloc(32, key)),
})

test('a ticket opens in every process until its time is over', () => {
  const ticket = sealTicket(portsAt(0), 'request', ANSWER)
  expect(openTicket(portsAt(TICKET_MS - 1), 'request', ticket)).toEqual(ANSWER)
  expect(openTicket(portsAt(TICKET_MS), 'request', ticket)).toBeUndefined()
})

test.each([
  ['another request', 'other', (ticket: string) => ticket],
  ['a changed text', 'request', (ticket: string) => `A${ticket.slice(1)}A`],
  ['no text', 'request', () => ''],
])('a ticket does not open with %s', (_, requestId, change) => {
  const ticket = sealTicket(portsAt(0), 'request', ANSWER)
  expect(openTicket(portsAt(1), requestId, change(ticket))).toBeUndefined()
})

test('a ticket of another service does not open', () => {
  const ticket = sealTicket(portsAt(0, 8), 'request', ANSWER)
  expect(openTicket(portsAt(1), 'request', ticket)).toBeUndefined()
})
