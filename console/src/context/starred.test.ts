import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { readStarred, type Starred, toggleStar, updateStar } from './starred.ts'

const page = (id: number, name = `Board ${id}`): Starred => ({
  path: `dashboards/${id}`,
  name,
  kind: 'dashboard',
})

let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})

afterAll(() => vi.unstubAllGlobals())

test('a star is toggled in its project only', () => {
  toggleStar('1', page(7))
  toggleStar('1', page(8))
  expect(readStarred('1')).toEqual([page(7), page(8)])
  expect(readStarred('2')).toEqual([])
  toggleStar('1', page(7))
  expect(readStarred('1')).toEqual([page(8)])
})

test('a star follows a new name, and disappears when its page is deleted', () => {
  toggleStar('1', page(7))
  updateStar('1', 'dashboards/7', 'Growth')
  expect(readStarred('1')).toEqual([page(7, 'Growth')])
  updateStar('1', 'dashboards/7', undefined)
  expect(readStarred('1')).toEqual([])
})

test('the list is bounded, and invalid storage is an empty list', () => {
  for (let id = 0; id < 30; id++) toggleStar('1', page(id))
  expect(readStarred('1')).toHaveLength(20)
  expect(readStarred('1').at(-1)).toEqual(page(29))
  for (const text of ['{', '7', '[1, null, {"path": 1}]']) {
    kept.set('millrace.starred.1', text)
    expect(readStarred('1')).toEqual([])
  }
})
