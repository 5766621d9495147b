import { pack, unpack } from 'msgpackr'
import type { ProjectId } from '../contract/ids.ts'
import { LIMITS } from '../kernel/limits.ts'
import type { Coding } from '../rpc/coding.ts'
import type { Codec } from '../rpc/content-type.ts'
import type { EnrichmentHeaders } from './enrich/enrichment-headers.ts'
import type { BatchRequest, Task, TaskRequest } from './task.ts'
import type { QueuedWork } from './task-queue.ts'

/** All of a request but its bytes; an array, because the names of fields would be most of it. */
type PackedHead = readonly [
  projectId: ProjectId,
  codec: Codec,
  coding: Coding,
  byteLength: number,
  address: string | null,
  userAgent: string | null,
  headers: EnrichmentHeaders | null,
  deadlineMs: number | null,
]

/** Bytes of a message for each compressed one: more than usual text is compressed by. */
const COMPRESSION_RATIO = 16

/**
 * Some texts are compressed thousandfold, which nobody can tell before: a compressed message counts for as much as lets
 * eight of them into a task. They keep a worker for as long as eight of the largest messages at most.
 */
const COMPRESSED_WORK_BYTES_MIN = LIMITS.taskBytesMax / 8

/** The work that a message is, in bytes; of a compressed one it is estimated. */
export function workBytesOf({
  bytes,
  coding,
}: {
  readonly bytes: { readonly length: number }
  readonly coding: Coding
}): number {
  if (coding === 'identity') return bytes.length
  return Math.max(bytes.length * COMPRESSION_RATIO, COMPRESSED_WORK_BYTES_MIN)
}

/** Heads of most tasks are smaller; larger ones get a buffer that fits. */
const HEAD_BYTES = 64 * 1024

/** A block is about as long as the messages that it was made of. */
const OUTPUT_BYTES = LIMITS.taskBytesMax

/** Memory above this is not kept for the next task. */
const KEPT_BYTES_MAX = 4 * LIMITS.taskBytesMax

/**
 * Requests on their way to a worker, in memory that both threads see and that serves one task after the other. Buffers
 * made for each task, and moved, brought on a garbage collection for every few dozen of them: half of the edge's work
 * outside the workers (benchmark case `e2e/json-batch-100`).
 *
 * The messages stand first, then the heads as MessagePack. Structured cloning of the heads cost twice as much.
 */
export class PackedTask {
  #input: Buffer
  #output = new SharedArrayBuffer(OUTPUT_BYTES)
  #messageBytes = 0
  #workBytes = 0
  readonly #heads: PackedHead[] = []

  /** `bytes` is what the first request needs. */
  constructor(bytes: number) {
    this.#input = shared(Math.max(LIMITS.taskBytesMax, bytes) + HEAD_BYTES)
  }

  /** Bytes of all messages, as they came. */
  get messageBytes(): number {
    return this.#messageBytes
  }

  /** See {@link workBytesOf}, of all messages. */
  get workBytes(): number {
    return this.#workBytes
  }

  /** False for memory that one unusually large request needed: better given back. */
  get isWorthKeeping(): boolean {
    return this.#input.length <= KEPT_BYTES_MAX && this.#output.byteLength <= KEPT_BYTES_MAX
  }

  /** Whether a message that is so much work may come in; the first one always. */
  hasRoom(workBytes: number): boolean {
    if (this.#heads.length === 0) return true
    return this.#heads.length < LIMITS.taskRequestsMax && this.#workBytes + workBytes <= LIMITS.taskBytesMax
  }

  /** Copies a request in. */
  add({ projectId, codec, coding, bytes, client, deadlineMs }: BatchRequest): void {
    const end = this.#messageBytes + bytes.length
    if (end + HEAD_BYTES > this.#input.length) this.#grow(end + HEAD_BYTES)
    this.#input.set(bytes, this.#messageBytes)
    this.#messageBytes = end
    this.#workBytes += workBytesOf({ bytes, coding })
    const { address = null, userAgent = null, headers = null } = client
    this.#heads.push([
      projectId,
      codec,
      coding,
      bytes.length,
      address,
      userAgent,
      headers,
      deadlineMs ?? null,
    ])
  }

  /** Takes a request out that no worker has seen, and tells what work it was. */
  remove(index: number): QueuedWork | undefined {
    const work = this.workAt(index)
    if (!work) return undefined
    const start = this.#startOf(index)
    this.#heads.splice(index, 1)
    this.#workBytes -= work.workBytes
    this.#input.copyWithin(start, start + work.heldBytes, this.#messageBytes)
    this.#messageBytes -= work.heldBytes
    return work
  }

  /** Requests in it. */
  get length(): number {
    return this.#heads.length
  }

  /** Forgets the requests from an index on. */
  cut(index: number): void {
    this.#messageBytes = this.#startOf(index)
    this.#heads.length = Math.min(index, this.#heads.length)
  }

  /** The work that a request is. */
  workAt(index: number): QueuedWork | undefined {
    const head = this.#heads[index]
    if (!head) return undefined
    const [project, , coding, heldBytes] = head
    return { project, heldBytes, workBytes: workBytesOf({ bytes: { length: heldBytes }, coding }) }
  }

  /** A request as it was added; its bytes are valid until {@link clear}. */
  requestAt(index: number): BatchRequest | undefined {
    const head = this.#heads[index]
    return head && readRequest(head, this.#input.buffer, this.#startOf(index))
  }

  #startOf(index: number): number {
    return this.#heads.slice(0, index).reduce((sum, head) => sum + head[3], 0)
  }

  /** What a worker is told. Nothing may be added until {@link clear}. */
  seal(): Task {
    const heads = pack(this.#heads)
    const end = this.#messageBytes + heads.length
    if (end > this.#input.length) this.#grow(end)
    this.#input.set(heads, this.#messageBytes)
    return {
      input: this.#input.buffer as SharedArrayBuffer,
      messageBytes: this.#messageBytes,
      headBytes: heads.length,
      output: this.#output,
    }
  }

  /** The block that a worker wrote; valid until {@link clear}. `output` replaces memory that was too small for it. */
  readBlock(blockBytes: number, output?: SharedArrayBuffer): Buffer {
    if (output) this.#output = output
    return Buffer.from(this.#output, 0, blockBytes)
  }

  /** Makes it ready for other requests. */
  clear(): void {
    this.#messageBytes = 0
    this.#workBytes = 0
    this.#heads.length = 0
  }

  #grow(bytes: number): void {
    const grown = shared(bytes)
    grown.set(this.#input.subarray(0, this.#messageBytes))
    this.#input = grown
  }
}

/** The requests of a task; their bytes are views into its memory. */
export function unpackTask({ input, messageBytes, headBytes }: Task): TaskRequest[] {
  const heads: PackedHead[] = unpack(Buffer.from(input, messageBytes, headBytes))
  let offset = 0
  return heads.map((head) => {
    const request = readRequest(head, input, offset)
    offset += request.bytes.length
    return request
  })
}

function readRequest(head: PackedHead, input: ArrayBufferLike, offset: number): TaskRequest {
  const [projectId, codec, coding, byteLength, address, userAgent, headers, deadlineMs] = head
  const bytes = Buffer.from(input, offset, byteLength)
  const client = {
    address: address ?? undefined,
    userAgent: userAgent ?? undefined,
    headers: headers ?? undefined,
  }
  return { projectId, codec, coding, bytes, client, deadlineMs: deadlineMs ?? undefined }
}

function shared(bytes: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(bytes))
}
