import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UpstreamRoom } from './upstream-room.ts'

const WAIT_MS = 1000

let room: UpstreamRoom
let started: string[]
let refused: string[]
/** Functions that end running calls, by name. */
let leaves: Map<string, () => void>

beforeEach(() => {
  vi.useFakeTimers()
  room = new UpstreamRoom({ runningMax: 4, waitingMax: 8, waitMs: WAIT_MS })
  started = []
  refused = []
  leaves = new Map()
})

afterEach(() => vi.useRealTimers())

/** Enters a call; its name begins with its network. */
function enter(name: string, call: { isOver: boolean } = { isOver: false }): void {
  room.enter({
    network: name.slice(0, 1),
    get isOver() {
      return call.isOver
    },
    start: (leave) => {
      started.push(name)
      leaves.set(name, leave)
    },
    refuse: () => refused.push(name),
  })
}

function enterAll(...names: readonly string[]): void {
  for (const name of names) enter(name)
}

test('a network has three quarters of those that run, and of those that wait', () => {
  enterAll('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'a10')
  expect({ started, refused }).toEqual({ started: ['a1', 'a2', 'a3'], refused: ['a10'] })
  enterAll('b1', 'b2', 'b3', 'b4')
  expect({ started: started.slice(3), refused: refused.slice(1) }).toEqual({
    started: ['b1'],
    refused: ['b4'],
  })
})

test('networks take turns', () => {
  enterAll('a1', 'a2', 'a3', 'b1', 'a4', 'a5', 'a6', 'b2', 'b3', 'c1')
  for (const name of ['a1', 'a2', 'a3', 'b1']) leaves.get(name)?.()
  expect(started.slice(4)).toEqual(['a4', 'b2', 'c1', 'a5'])
})

test('leaving twice frees one connection', () => {
  enterAll('a1', 'a2', 'b1', 'b2', 'c1', 'c2')
  leaves.get('a1')?.()
  leaves.get('a1')?.()
  expect([room.running, room.waiting]).toEqual([4, 1])
})

test('a call that waits too long is refused, and one whose client left is dropped', () => {
  const gone = { isOver: false }
  enterAll('a1', 'a2', 'b1', 'b2')
  enter('c1', gone)
  enterAll('c2', 'd1')
  gone.isOver = true
  leaves.get('a1')?.()
  expect(started.at(-1)).toBe('c2')
  vi.advanceTimersByTime(WAIT_MS)
  expect({ refused, waiting: room.waiting }).toEqual({ refused: ['d1'], waiting: 0 })
})

test('an empty room holds no network', () => {
  enterAll('a1', 'a2', 'a3', 'a4', 'b1', 'b2')
  while (room.running > 0) for (const leave of [...leaves.values()]) leave()
  expect({ started: started.length, running: room.running, waiting: room.waiting }).toEqual({
    started: 6,
    running: 0,
    waiting: 0,
  })
})
