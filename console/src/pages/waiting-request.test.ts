import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dropRequest, keepRequest, requestOfPage, waitingRequestPage } from './waiting-request.ts'

const KEY = 'millrace:assistant-request'
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
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a request waits for as long as it is open, and then leaves nothing behind', () => {
  expect(waitingRequestPage()).toBeUndefined()
  keepRequest('an-id')
  vi.advanceTimersByTime(10 * 60_000 - 1)
  expect(waitingRequestPage()).toBe('/connect?request=an-id')
  vi.advanceTimersByTime(1)
  expect(waitingRequestPage()).toBeUndefined()
  expect(stored.size).toBe(0)
})

test('a dropped request is gone in every tab', () => {
  keepRequest('an-id')
  dropRequest()
  expect([waitingRequestPage(), stored.size]).toEqual([undefined, 0])
})

test.each([
  'no JSON',
  '[]',
  '"an-id"',
  '{"id":1,"untilMs":9e15}',
  '{"id":"an-id"}',
  '{"id":"","untilMs":9e15}',
  '{"id":"//evil.example","untilMs":9e15}',
  '{"id":"x&next=https://evil.example","untilMs":9e15}',
  '{"id":"../p/1","untilMs":9e15}',
])('%j leads nowhere', (text) => {
  stored.set(KEY, text)
  expect(waitingRequestPage()).toBeUndefined()
})

test.each([
  ['/connect?request=an-id', 'an-id'],
  ['/connect', undefined],
  ['/connect?request=', undefined],
  ['/connect?request=%2F%2Fevil.example', undefined],
  [`/connect?request=${'x'.repeat(65)}`, undefined],
  ['/p/1/overview?request=an-id', undefined],
  ['/sign-in?request=an-id', undefined],
])('the page %s asks about %j', (address, id) => {
  const { pathname: path, searchParams: query } = new URL(address, 'https://stats.example.org')
  expect(requestOfPage({ path, query })).toBe(id)
})

test('without storage, nothing waits', () => {
  const refuse = (): never => {
    throw new Error('refused')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  keepRequest('an-id')
  expect(waitingRequestPage()).toBeUndefined()
})
