import { expect, test } from 'vitest'
import { asProjectId } from '../contract/ids.ts'
import { LIMITS } from '../kernel/limits.ts'
import { PackedTask, unpackTask, workBytesOf } from './packed-task.ts'
import type { BatchRequest } from './task.ts'

function request(bytes: Buffer, userAgent?: string): BatchRequest {
  const client = { address: '192.0.2.1', userAgent, headers: undefined }
  return {
    projectId: asProjectId(7),
    codec: 'json',
    coding: 'identity',
    bytes,
    client,
    isPublicKey: true,
    domains: [],
    blockedKinds: [],
  }
}

function pack(requests: readonly BatchRequest[], task = new PackedTask(0)): BatchRequest[] {
  for (const each of requests) task.add(each)
  return unpackTask(task.seal(new SharedArrayBuffer(0))).map((read) => ({
    ...read,
    bytes: Buffer.from(read.bytes),
  }))
}

test('unpacked requests equal the packed ones', () => {
  const requests = [
    request(Buffer.from('one'), 'agent'),
    request(Buffer.alloc(0)),
    { ...request(Buffer.from('3')), isPublicKey: false, domains: ['example.com', 'example.org'] },
  ]
  expect(pack(requests)).toEqual(requests)
})

test('a cleared task contains nothing of its previous requests', () => {
  const task = new PackedTask(0)
  pack([request(Buffer.alloc(1000, 1)), request(Buffer.alloc(1000, 2))], task)
  task.clear()
  expect(pack([request(Buffer.from('x'))], task)).toEqual([request(Buffer.from('x'))])
})

test('a task grows for heads and messages beyond its initial memory', () => {
  const requests = [
    request(Buffer.alloc(3 * LIMITS.taskBytesMax, 1), 'a'.repeat(100_000)),
    request(Buffer.alloc(2 * LIMITS.taskBytesMax, 2), 'b'.repeat(100_000)),
  ]
  const texts = (all: readonly BatchRequest[]): string[] => all.map(({ bytes }) => bytes.toString('latin1'))
  expect(texts(pack(requests))).toEqual(texts(requests))
})

test('a task takes one message of any length, and others up to its limits', () => {
  const task = new PackedTask(0)
  const rooms = [task.hasRoom(10 * LIMITS.taskBytesMax)]
  task.add(request(Buffer.alloc(10)))
  rooms.push(task.hasRoom(LIMITS.taskBytesMax - 10), task.hasRoom(LIMITS.taskBytesMax - 9))
  for (let count = 1; count < LIMITS.taskRequestsMax; count++) task.add(request(Buffer.alloc(1)))
  rooms.push(task.hasRoom(1))
  expect(rooms).toEqual([true, true, false, false])
})

test('a few compressed messages fill a task, because each may expand', () => {
  const task = new PackedTask(0)
  const compressed: BatchRequest = { ...request(Buffer.alloc(10)), coding: 'zstd' }
  for (let count = 0; count < 8; count++) {
    expect(task.hasRoom(workBytesOf(compressed))).toBe(true)
    task.add(compressed)
  }
  expect(task.hasRoom(workBytesOf(compressed))).toBe(false)
  expect(task.messageBytes).toBe(80)
  const large: BatchRequest = { ...compressed, bytes: Buffer.alloc(LIMITS.taskBytesMax / 4) }
  expect(workBytesOf(large)).toBe(4 * LIMITS.taskBytesMax)
})

test('a task is as large as its largest message', () => {
  const task = new PackedTask(8 * LIMITS.taskBytesMax)
  expect(task.memoryBytes).toBeGreaterThan(8 * LIMITS.taskBytesMax)
  expect(new PackedTask(0).memoryBytes).toBeLessThan(2 * LIMITS.taskBytesMax)
})
