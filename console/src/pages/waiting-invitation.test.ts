import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dropInvitation, keepInvitation, waitingInvitation } from './waiting-invitation.ts'

const KEY = 'millrace:invitation'
let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.useFakeTimers()
})

afterEach(() => {
  dropInvitation()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an invitation waits for half an hour, and then leaves no token behind', () => {
  expect(waitingInvitation()).toBeUndefined()
  keepInvitation('a-token')
  vi.advanceTimersByTime(30 * 60_000 - 1)
  expect(waitingInvitation()).toBe('a-token')
  vi.advanceTimersByTime(1)
  expect(waitingInvitation()).toBeUndefined()
  expect(stored.size).toBe(0)
})

test('a dropped invitation is gone in every tab', () => {
  keepInvitation('a-token')
  dropInvitation()
  expect([waitingInvitation(), stored.size]).toEqual([undefined, 0])
})

test('the invitation of another tab is found', () => {
  stored.set(KEY, JSON.stringify({ token: 'of-another-tab', untilMs: Date.now() + 1000 }))
  expect(waitingInvitation()).toBe('of-another-tab')
})

test.each(['no JSON', '[]', '{"token":1,"untilMs":9e15}', '{"token":"t"}'])('%j is no invitation', (text) => {
  stored.set(KEY, text)
  expect(waitingInvitation()).toBeUndefined()
})

test('without storage, the invitation waits in this tab', () => {
  const refuse = (): never => {
    throw new Error('refused')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  keepInvitation('a-token')
  expect(waitingInvitation()).toBe('a-token')
  dropInvitation()
  expect(waitingInvitation()).toBeUndefined()
})
