import { expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { IdentifyQueue } from './identify-queue.ts'
import type { IdentifyCall, IdentifyResult } from './identify-task.ts'

function callOf(byteCount: number): IdentifyCall {
  const bytes = Buffer.alloc(byteCount)
  return { projectId: asProjectId(1), codec: 'json', coding: 'identity', bytes, receivedMicros: 1 }
}

test('the queue is full at its byte limit, and accepts calls again when they are done', async () => {
  const worker = Promise.withResolvers<IdentifyResult>()
  const queue = new IdentifyQueue({
    run: async () => await worker.promise,
    commitRows: async () => undefined,
    log: createLogger({ role: 'test', level: 'silent' }),
  })
  const calls = Array.from({ length: 4 }, async () => await queue.submit(callOf(8 * 1024 * 1024 - 1)))
  expect(queue.isFull).toBe(false)
  calls.push(queue.submit(callOf(4)))
  expect(queue.isFull).toBe(true)
  worker.reject(new Error('the worker died'))
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  expect(queue.isFull).toBe(false)
})
