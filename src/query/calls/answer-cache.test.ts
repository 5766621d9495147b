import { describe, expect, test } from 'vitest'
import { AnswerCache, type CachedQuery, type FoundAnswer } from './answer-cache.ts'

function setUp() {
  const cache = new AnswerCache({ bytesMax: 1000 })
  const computations: { readonly resolve: (answer: string) => void; readonly signal: AbortSignal }[] = []
  const find = async (query: Partial<CachedQuery<string>> = {}): Promise<FoundAnswer<string>> =>
    await cache.answer({
      key: 'a',
      ttlMs: 60_000,
      isFresh: false,
      signal: new AbortController().signal,
      sizeOf: (answer) => answer.length,
      compute: async (signal) => {
        const { promise, resolve, reject } = Promise.withResolvers<string>()
        signal.addEventListener('abort', () => reject(new Error('stopped')))
        computations.push({ resolve, signal })
        return await promise
      },
      ...query,
    })
  const ask = async (query: Partial<CachedQuery<string>> = {}): Promise<string> => (await find(query)).answer
  return { ask, find, computations }
}

describe('an answer cache', () => {
  test('coalesces identical queries in flight, and caches their answer', async () => {
    const { ask, computations } = setUp()
    const both = Promise.all([ask(), ask()])
    computations[0]?.resolve('yes')
    expect(await both).toEqual(['yes', 'yes'])
    expect(await ask()).toBe('yes')
    expect(computations).toHaveLength(1)
  })

  test('leaves a computation alone that has ended', async () => {
    const { ask, computations } = setUp()
    const answer = ask()
    computations[0]?.resolve('yes')
    await answer
    expect(computations[0]?.signal.aborted).toBe(false)
  })

  test('reports the cache outcome', async () => {
    const { find, computations } = setUp()
    const both = Promise.all([find(), find()])
    computations[0]?.resolve('yes')
    const sources = [...(await both), await find()].map(({ source }) => source)
    expect(sources).toEqual(['miss', 'coalesced', 'hit'])
  })

  test('separates queries with different keys', async () => {
    const { ask, computations } = setUp()
    const first = ask()
    const second = ask({ key: 'b' })
    computations[0]?.resolve('one')
    computations[1]?.resolve('two')
    expect(await Promise.all([first, second])).toEqual(['one', 'two'])
  })

  test('computes a fresh answer on request, and caches the newer one', async () => {
    const { ask, computations } = setUp()
    const first = ask()
    const second = ask({ isFresh: true })
    computations[0]?.resolve('old')
    computations[1]?.resolve('new')
    expect(await Promise.all([first, second])).toEqual(['old', 'new'])
    expect(await ask()).toBe('new')
  })

  test('a fresh request ignores a cached answer', async () => {
    const { ask, computations } = setUp()
    const first = ask()
    computations[0]?.resolve('old')
    await first
    const second = ask({ isFresh: true })
    computations[1]?.resolve('new')
    expect(await second).toBe('new')
  })

  test('continues for the remaining callers, and stops when the last one has left', async () => {
    const { ask, computations } = setUp()
    const [impatient, patient] = [new AbortController(), new AbortController()]
    const first = ask({ signal: impatient.signal })
    const second = ask({ signal: patient.signal })
    impatient.abort()
    await expect(first).rejects.toMatchObject({ code: 'canceled' })
    expect(computations[0]?.signal.aborted).toBe(false)
    patient.abort()
    await expect(second).rejects.toMatchObject({ code: 'canceled' })
    expect(computations[0]?.signal.aborted).toBe(true)
  })

  test('restarts for a caller that arrives when all others have just left', async () => {
    const { ask, computations } = setUp()
    const leaving = new AbortController()
    const first = ask({ signal: leaving.signal })
    leaving.abort()
    await expect(first).rejects.toMatchObject({ code: 'canceled' })
    const second = ask()
    computations[1]?.resolve('yes')
    expect(await second).toBe('yes')
  })

  test('caches neither errors nor answers without a lifetime', async () => {
    const { ask, computations } = setUp()
    await expect(ask({ compute: async () => await Promise.reject(new Error('no')) })).rejects.toThrow('no')
    const first = ask({ ttlMs: 0 })
    computations[0]?.resolve('once')
    await first
    const second = ask()
    computations[1]?.resolve('twice')
    expect(await second).toBe('twice')
  })

  test('keeps no answer that would take most of its room', async () => {
    const { ask, computations } = setUp()
    const large = ask()
    computations[0]?.resolve('x'.repeat(500))
    await large
    const again = ask()
    computations[1]?.resolve('y')
    expect(await again).toBe('y')
  })
})
