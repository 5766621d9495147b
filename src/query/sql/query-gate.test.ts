import { describe, expect, test, vi } from 'vitest'
import { QueryGate } from './query-gate.ts'

const NEVER = new AbortController().signal

function setUp(limits: Partial<ConstructorParameters<typeof QueryGate>[0]> = {}) {
  const gate = new QueryGate({ runningMax: 1, waitingPerProjectMax: 2, waitMsMax: 60_000, ...limits })
  const started: string[] = []
  const finish = new Map<string, () => void>()
  const pass = async (project: number, name: string, signal = NEVER): Promise<void> =>
    await gate.pass(project, signal, async () => {
      started.push(name)
      await new Promise<void>((resolve) => finish.set(name, resolve))
    })
  return { gate, started, finish, pass }
}

describe('a query gate', () => {
  test('lets projects take turns, whoever asked more', async () => {
    const { started, finish, pass } = setUp()
    const all = [pass(1, 'a1'), pass(1, 'a2'), pass(1, 'a3'), pass(2, 'b1')]
    for (const name of ['a1', 'a2', 'b1', 'a3']) {
      await vi.waitFor(() => expect(started).toContain(name))
      finish.get(name)?.()
    }
    await Promise.all(all)
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('keeps a quarter of the places from any one project', async () => {
    const { gate, started, finish, pass } = setUp({ runningMax: 4 })
    const all = [pass(1, 'a1'), pass(1, 'a2'), pass(1, 'a3'), pass(1, 'a4'), pass(2, 'b1')]
    await vi.waitFor(() => expect(started).toEqual(['a1', 'a2', 'a3', 'b1']))
    finish.get('b1')?.()
    await all[4]
    expect(gate.counts).toEqual({ running: 3, waiting: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) {
      await vi.waitFor(() => expect(started).toContain(name))
      finish.get(name)?.()
    }
    await Promise.all(all)
    expect(gate.counts).toEqual({ running: 0, waiting: 0 })
  })

  test('refuses a query when the line of its project is full', async () => {
    const { gate, finish, pass } = setUp()
    const first = pass(1, 'a1')
    const left = new AbortController()
    const waiting = [pass(1, 'a2', left.signal), pass(1, 'a3', left.signal)]
    await expect(pass(1, 'a4')).rejects.toMatchObject({ code: 'resource_exhausted', reason: 'OVERLOADED' })
    expect(gate.counts).toEqual({ running: 1, waiting: 2 })
    left.abort()
    await expect(Promise.all(waiting)).rejects.toMatchObject({ code: 'canceled' })
    finish.get('a1')?.()
    await first
    expect(gate.counts).toEqual({ running: 0, waiting: 0 })
  })

  test('refuses a query that waited too long', async () => {
    const { finish, pass } = setUp({ waitMsMax: 5 })
    const first = pass(1, 'a1')
    await expect(pass(1, 'a2')).rejects.toMatchObject({ code: 'resource_exhausted', retryAfterSeconds: 2 })
    finish.get('a1')?.()
    await first
  })

  test('gives the place of a query that failed to the next one', async () => {
    const { gate, started, finish, pass } = setUp()
    const failing = gate.pass(1, NEVER, async () => await Promise.reject(new Error('no')))
    const next = pass(1, 'a1')
    await expect(failing).rejects.toThrow('no')
    await vi.waitFor(() => expect(started).toEqual(['a1']))
    finish.get('a1')?.()
    await next
    expect(gate.counts.running).toBe(0)
  })
})
