import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { QueryGate } from './query-gate.ts'

const NEVER = new AbortController().signal

function setUp(limits: Partial<ConstructorParameters<typeof QueryGate>[0]> = {}) {
  const clock = { nowMs: 0 }
  const bounds = { runningMax: 1, waitingPerProjectMax: 2, waitMsMax: 60_000, ...limits }
  const gate = new QueryGate(bounds, () => clock.nowMs)
  const started: string[] = []
  const finish = new Map<string, () => void>()
  const tested = new AbortController()
  onTestFinished(() => tested.abort())
  const pass = async (project: number, name: string, signal = tested.signal): Promise<void> =>
    await gate.pass(project, signal, async () => {
      started.push(name)
      await new Promise<void>((resolve) => finish.set(name, resolve))
    })
  /** Begins a query that may still wait when the test ends. */
  const begin = (project: number, name: string): void => void pass(project, name).catch(() => undefined)
  /** Ends queries in this order, each as soon as it runs. */
  const finishAll = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      await vi.waitFor(() => expect(started).toContain(name))
      finish.get(name)?.()
    }
  }
  return { gate, clock, started, finish, finishAll, pass, begin }
}

describe('a query gate', () => {
  test('serves projects in rotation, however many queries each sends', async () => {
    const { started, finishAll, pass } = setUp({ waitingPerProjectMax: 3 })
    const all = [pass(1, 'a1'), pass(1, 'a2'), pass(1, 'a3'), pass(1, 'a4'), pass(2, 'b1'), pass(2, 'b2')]
    await finishAll('a1', 'b1', 'a2', 'b2', 'a3', 'a4')
    await Promise.all(all)
    expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
  })

  test.each([1, 2, 3, 8])('gives all of %i slots to a project that is alone', async (runningMax) => {
    const { gate, begin } = setUp({ runningMax })
    for (let index = 0; index < runningMax + 2; index++) begin(1, `a${index}`)
    await vi.waitFor(() => expect(gate.counts).toEqual({ running: runningMax, waiting: 2 }))
  })

  test.each([1, 2, 8])('gives the first free slot of %i to a newly arrived project', async (runningMax) => {
    const { started, finishAll, begin } = setUp({ runningMax, waitingPerProjectMax: 9 })
    for (let index = 1; index <= runningMax + 9; index++) begin(1, `a${index}`)
    begin(2, 'b1')
    await finishAll('a1')
    await vi.waitFor(() => expect(started).toHaveLength(runningMax + 1))
    expect(started.at(-1)).toBe('b1')
  })

  test('reserves a quarter of the slots while another project is active, and a minute longer', async () => {
    const { gate, clock, started, finishAll, pass, begin } = setUp({ runningMax: 4 })
    const first = pass(2, 'b1')
    begin(1, 'a1')
    begin(1, 'a2')
    begin(1, 'a3')
    begin(1, 'a4')
    await vi.waitFor(() => expect(started).toEqual(['b1', 'a1', 'a2', 'a3']))
    clock.nowMs += 90_000
    await finishAll('b1')
    await first
    expect(gate.counts).toEqual({ running: 3, waiting: 1 })
    clock.nowMs += 60_000
    begin(1, 'a5')
    expect(gate.counts).toEqual({ running: 3, waiting: 2 })
    clock.nowMs += 1
    await finishAll('a1')
    await vi.waitFor(() => expect(started).toEqual(['b1', 'a1', 'a2', 'a3', 'a4', 'a5']))
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

  test.each([
    { ranMs: 300, restMs: 900 },
    { ranMs: 9000, restMs: 2000 },
  ])('rests $restMs ms after a query of $ranMs ms, whose answer does not wait', async ({ ranMs, restMs }) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { clock, started, finish, pass, begin } = setUp({ rest: { times: 3, msMax: 2000 } })
    const first = pass(1, 'a1')
    begin(1, 'a2')
    await vi.advanceTimersByTimeAsync(0)
    clock.nowMs += ranMs
    finish.get('a1')?.()
    await first
    await vi.advanceTimersByTimeAsync(restMs - 1)
    expect(started).toEqual(['a1'])
    await vi.advanceTimersByTimeAsync(1)
    expect(started).toEqual(['a1', 'a2'])
  })

  test('gives the slot of a failed query to the next one', async () => {
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
