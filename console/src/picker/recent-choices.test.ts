import { afterEach, describe, expect, test, vi } from 'vitest'
import { addRecent, readRecent, writeRecent } from './recent-choices.ts'

/** A store in memory in place of the browser's. */
function provideStorage(): Map<string, string> {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  })
  return kept
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('recent choices', () => {
  test('are latest first, each once, and limited', () => {
    expect(addRecent(['event:a', 'event:b'], 'event:b')).toEqual(['event:b', 'event:a'])
    const many = Array.from({ length: 12 }, (_, at) => `event:${at}`)
    expect(addRecent(many, 'event:new')).toEqual(['event:new', ...many.slice(0, 11)])
    expect(addRecent(['event:a'], `event:${'x'.repeat(500)}`)).toEqual(['event:a'])
  })

  test('are kept for each project', () => {
    provideStorage()
    writeRecent('1', ['event:a'])
    writeRecent('2', ['event:b'])
    expect([readRecent('1'), readRecent('2'), readRecent('3')]).toEqual([['event:a'], ['event:b'], []])
  })

  test.each(['no JSON', '{}', '[1, null]'])('are none in %j', (text) => {
    provideStorage().set('millrace:recent:1', text)
    expect(readRecent('1')).toEqual([])
  })

  test('are none where the browser keeps nothing', () => {
    const refuse = (): never => {
      throw new Error('refused')
    }
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse })
    writeRecent('1', ['event:a'])
    expect(readRecent('1')).toEqual([])
  })
})
