import { pack, unpack } from 'msgpackr'
import type { ProjectId } from '../contract/ids.ts'
import { LIMITS } from '../kernel/limits.ts'
import type { Coding } from '../rpc/coding.ts'
import type { Codec } from '../rpc/content-type.ts'
import type { ForeignRequest } from './dialects/foreign/foreign-batch.ts'
import { copyBytes } from './encode/copy-bytes.ts'
import type { EnrichmentHeaders } from './enrich/enrichment-headers.ts'
import type { BatchRequest, Task, TaskRequest } from './task.ts'
import type { QueuedWork } from './task-queue.ts'

/** A request without its bytes; an array, because field names would be most of an object. */
type PackedHead = readonly [
  projectId: ProjectId,
  codec: Codec,
  coding: Coding,
  byteLength: number,
  address: string | null,
  userAgent: string | null,
  headers: EnrichmentHeaders | null,
  deadlineMs: number | null,
  isPublicKey: boolean,
  domains: readonly string[] | null,
  blockedKinds: readonly string[] | null,
  foreign: ForeignRequest | null,
]

const NONE: readonly string[] = []

/** Estimated bytes of a message per compressed byte: more than typical text compresses to. */
const COMPRESSION_RATIO = 16

/**
 * Some texts compress a thousandfold, which is unknown before decompression. This minimum allows eight compressed messages
 * in a task, which then occupy a worker no longer than eight of the largest messages.
 */
const COMPRESSED_WORK_BYTES_MIN = LIMITS.taskBytesMax / 8

/** The work of processing a message, in uncompressed bytes; an estimate for a compressed one. */
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

/** Heads of most tasks are smaller; a task with larger ones gets a larger buffer. */
const HEAD_BYTES = 64 * 1024

/**
 * Requests on their way to a worker, in shared memory that is reused from task to task. New buffers for each task,
 * transferred to the worker, cost a garbage collection every few dozen tasks: half of the edge's work outside the workers
 * (benchmark case `e2e/json-batch-100`).
 *
 * The messages come first, then the heads as MessagePack: structured cloning of the heads costs twice as much.
 */
export class PackedTask {
  #input: Buffer
  #messageBytes = 0
  #workBytes = 0
  readonly #heads: PackedHead[] = []

  /** `bytes` is the size of the first request. */
  constructor(bytes: number) {
    this.#input = shared(Math.max(LIMITS.taskBytesMax, bytes) + HEAD_BYTES)
  }

  /** Bytes of all messages, as received. */
  get messageBytes(): number {
    return this.#messageBytes
  }

  /** Sum of {@link workBytesOf} over all messages. */
  get workBytes(): number {
    return this.#workBytes
  }

  /** Bytes of its memory. */
  get memoryBytes(): number {
    return this.#input.length
  }

  /** Whether a message with this amount of work fits; the first one always does. */
  hasRoom(workBytes: number): boolean {
    if (this.#heads.length === 0) return true
    return this.#heads.length < LIMITS.taskRequestsMax && this.#workBytes + workBytes <= LIMITS.taskBytesMax
  }

  /** Copies a request in. */
  add(request: BatchRequest): void {
    const { projectId, codec, coding, bytes, client, deadlineMs, isPublicKey } = request
    const { domains, blockedKinds, foreign } = request
    const end = this.#messageBytes + bytes.length
    if (end + HEAD_BYTES > this.#input.length) this.#grow(end + HEAD_BYTES)
    copyBytes(bytes, bytes.length, this.#input, this.#messageBytes)
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
      isPublicKey,
      domains.length === 0 ? null : domains,
      blockedKinds.length === 0 ? null : blockedKinds,
      foreign ?? null,
    ])
  }

  /** Removes a request before a worker reads it; returns its work. */
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

  /** Number of requests. */
  get length(): number {
    return this.#heads.length
  }

  /** Removes the requests from an index on. */
  cut(index: number): void {
    this.#messageBytes = this.#startOf(index)
    this.#heads.length = Math.min(index, this.#heads.length)
  }

  /** The work of a request. */
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

  /** The message to a worker, which writes the block into `output`. Nothing may be added until {@link clear}. */
  seal(output: SharedArrayBuffer): Task {
    const heads = pack(this.#heads)
    const end = this.#messageBytes + heads.length
    if (end > this.#input.length) this.#grow(end)
    this.#input.set(heads, this.#messageBytes)
    return {
      input: this.#input.buffer as SharedArrayBuffer,
      messageBytes: this.#messageBytes,
      headBytes: heads.length,
      output,
    }
  }

  /** Empties the task for reuse. */
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
  const [
    projectId,
    codec,
    coding,
    byteLength,
    address,
    userAgent,
    headers,
    deadlineMs,
    isPublicKey,
    domains,
    blockedKinds,
    foreign,
  ] = head
  const bytes = Buffer.from(input, offset, byteLength)
  const client = {
    address: address ?? undefined,
    userAgent: userAgent ?? undefined,
    headers: headers ?? undefined,
  }
  return {
    projectId,
    codec,
    coding,
    bytes,
    client,
    deadlineMs: deadlineMs ?? undefined,
    isPublicKey,
    domains: domains ?? NONE,
    blockedKinds: blockedKinds ?? NONE,
    ...(foreign === null ? {} : { foreign }),
  }
}

function shared(bytes: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(bytes))
}
