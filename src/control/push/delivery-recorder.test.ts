import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait.ts'
import { asProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import type { Delivery } from '../../store/clickhouse/deliveries.ts'
import { DeliveryRecorder } from './delivery-recorder.ts'

const log = createLogger({ role: 'test', level: 'silent' })

function delivery(messageId: string): Delivery {
  const common = { projectId: asProjectId(1), campaignId: 'c', type: 'sent', timeMs: 1 } as const
  return { ...common, messageId, platform: '', deviceId: '', metadata: {} }
}

/** A store that accepts one batch at a time, on demand. */
function createGatedStore() {
  const batches: string[][] = []
  const gates: ((error?: Error) => void)[] = []
  const insert = async (deliveries: readonly Delivery[]): Promise<void> => {
    batches.push(deliveries.map(({ messageId }) => messageId))
    await new Promise<void>((resolve, reject) => {
      gates.push((error) => (error ? reject(error) : resolve()))
    })
  }
  const open = async (error?: Error): Promise<void> => {
    const gate = await waitFor('a batch', () => gates.shift())
    gate(error)
  }
  return { batches, insert, open }
}

test('concurrent deliveries are one INSERT, and those that arrive meanwhile the next', async () => {
  const { batches, insert, open } = createGatedStore()
  const recorder = new DeliveryRecorder({ insert, log })
  const first = [recorder.record(delivery('a')), recorder.record(delivery('b'))]
  await waitFor('the first batch', () => batches[0])
  const second = [recorder.record(delivery('c')), recorder.record(delivery('d'))]
  await open()
  expect(await Promise.all(first)).toEqual(['durable', 'durable'])
  await open()
  expect(await Promise.all(second)).toEqual(['durable', 'durable'])
  expect(batches).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('callers wait until the INSERT has ended', async () => {
  const { batches, insert, open } = createGatedStore()
  const recorder = new DeliveryRecorder({ insert, log })
  let recorded: string | undefined
  const recording = recorder.record(delivery('a')).then((value) => {
    recorded = value
  })
  await waitFor('the batch', () => batches[0])
  expect(recorded).toBeUndefined()
  await open()
  await recording
  expect(recorded).toBe('durable')
})

test('the size of a batch is limited', async () => {
  const { batches, insert, open } = createGatedStore()
  const recorder = new DeliveryRecorder({ insert, log, bounds: { batchMax: 2 } })
  const all = ['a', 'b', 'c'].map((id) => recorder.record(delivery(id)))
  await open()
  await open()
  await Promise.all(all)
  expect(batches).toEqual([['a', 'b'], ['c']])
})

test('a failed INSERT fails its whole batch, and the next one may succeed', async () => {
  const { insert, open } = createGatedStore()
  const recorder = new DeliveryRecorder({ insert, log })
  const failing = ['a', 'b'].map((id) => recorder.record(delivery(id)))
  await open(new Error('the store is down'))
  expect(await Promise.all(failing)).toEqual(['store-down', 'store-down'])
  const next = recorder.record(delivery('a'))
  await open()
  expect(await next).toBe('durable')
})

test('a hanging INSERT times out', async () => {
  const insert = async (_: readonly Delivery[], signal: AbortSignal): Promise<void> =>
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const recorder = new DeliveryRecorder({ insert, log, bounds: { insertMs: 20 } })
  expect(await recorder.record(delivery('a'))).toBe('store-down')
})

test('deliveries beyond the queue limit are refused until some are recorded', async () => {
  const { insert, open } = createGatedStore()
  const recorder = new DeliveryRecorder({ insert, log, bounds: { pendingMax: 2 } })
  const waiting = ['a', 'b'].map((id) => recorder.record(delivery(id)))
  expect(await recorder.record(delivery('c'))).toBe('too-many')
  await open()
  await Promise.all(waiting)
  const next = recorder.record(delivery('c'))
  await open()
  expect(await next).toBe('durable')
})
