import { expect, test } from 'vitest'
import type { TakeOutcome } from '../store/state/state-store.ts'
import {
  type BucketState,
  type TokenDemand,
  type TokenRate,
  takeFromBucket,
} from '../store/state/token-bucket.ts'
import { TokenGuesses } from './token-guesses.ts'

const NETWORK = '192.0.2.1'
const OTHER = '198.51.100.1'

let nowMs = 0

/** A store of the one rule that records its calls and can be taken away. */
class ScriptedStore {
  isUp = true
  readonly keys: string[] = []
  readonly #buckets = new Map<string, BucketState>()

  async takeTokens(demands: readonly TokenDemand[], rate: TokenRate): Promise<TakeOutcome> {
    if (!this.isUp) return { status: 'unavailable', cause: new Error('down') }
    const grants = demands.map((demand) => {
      this.keys.push(demand.key)
      const taken = takeFromBucket(this.#buckets.get(demand.key), demand, { ...rate, nowMs })
      this.#buckets.set(demand.key, taken.bucket)
      return taken.grant
    })
    return await Promise.resolve({ status: 'ok', grants })
  }
}

const openEdge = (store?: ScriptedStore) => new TokenGuesses({ store, nowMs: () => nowMs })

/** Guesses at edges in turn until one refuses; answers the number of guesses. */
async function guessUntilRefused(edges: readonly TokenGuesses[]): Promise<number> {
  for (let guesses = 0; guesses < 1000; guesses++) {
    const edge = edges[guesses % edges.length]
    try {
      edge?.require(NETWORK)
    } catch {
      return guesses
    }
    await edge?.count(NETWORK)
  }
  throw new Error('no guess was refused')
}

test('after 50 unknown tokens a network waits, and others do not', async () => {
  const edge = openEdge()
  expect(await guessUntilRefused([edge])).toBe(50)
  expect(() => edge.require(NETWORK)).toThrow('too many unknown tokens from this network; try again in 72 s')
  expect(() => edge.require(OTHER)).not.toThrow()
  nowMs += 72_001
  expect(await guessUntilRefused([edge])).toBe(1)
})

test('guesses at several edges of one store count together', async () => {
  const store = new ScriptedStore()
  const edges = [openEdge(store), openEdge(store), openEdge(store)]
  // The two that did not see the fiftieth guess learn of it with one more each.
  expect(await guessUntilRefused(edges)).toBe(52)
  expect(await guessUntilRefused([...edges].reverse())).toBe(0)
  // A new process learns with its first guess.
  expect(await guessUntilRefused([openEdge(store)])).toBe(1)
})

test('concurrent guesses count at once, and go to the store together', async () => {
  const store = new ScriptedStore()
  const edge = openEdge(store)
  const counts = Array.from({ length: 50 }, async () => await edge.count(NETWORK))
  expect(() => edge.require(NETWORK)).toThrow(/too many/)
  await Promise.all(counts)
  expect(store.keys).toHaveLength(2)
  expect(() => edge.require(NETWORK)).toThrow(/too many/)
})

test('without its store an edge counts by itself', async () => {
  const store = new ScriptedStore()
  store.isUp = false
  expect(await guessUntilRefused([openEdge(store), openEdge(store)])).toBe(100)
})

test('requiring asks no store, and the store sees no address', async () => {
  const store = new ScriptedStore()
  const edge = openEdge(store)
  edge.require(NETWORK)
  expect(store.keys).toEqual([])
  await edge.count(NETWORK)
  expect(store.keys).toEqual([expect.stringMatching(/^guesses:[\w-]{22}$/)])
})
