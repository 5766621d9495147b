import { pack, unpack } from 'msgpackr'
import type { ProjectId } from '../contract/ids.ts'
import type { Coding } from '../rpc/coding.ts'
import type { Codec } from '../rpc/content-type.ts'
import type { EnrichmentHeaders } from './enrich/enrichment-headers.ts'
import type { BatchRequest, Task, TaskRequest } from './task.ts'

/** All of a request but its bytes; an array, because the names of fields would be most of it. */
type PackedHead = readonly [
  projectId: ProjectId,
  codec: Codec,
  coding: Coding,
  byteLength: number,
  address: string | null,
  userAgent: string | null,
  headers: EnrichmentHeaders | null,
]

const LENGTH_BYTES = 4

/**
 * Packs requests for the way to a worker: the length of the heads (UInt32, little-endian), the heads as MessagePack, and
 * the messages. Structured cloning of the same objects cost twice as much (benchmark case `pool/json-batch-1`).
 */
export function packTask(requests: readonly BatchRequest[]): Task {
  const heads = pack(requests.map(packHead))
  const messageBytes = requests.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const packed = Buffer.allocUnsafeSlow(LENGTH_BYTES + heads.length + messageBytes)
  packed.writeUInt32LE(heads.length, 0)
  packed.set(heads, LENGTH_BYTES)
  let offset = LENGTH_BYTES + heads.length
  for (const { bytes } of requests) {
    packed.set(bytes, offset)
    offset += bytes.length
  }
  return { packed: packed.buffer }
}

/** The requests of a task; their bytes are views into its buffer. */
export function unpackTask(task: Task): TaskRequest[] {
  const packed = Buffer.from(task.packed)
  const headsEnd = LENGTH_BYTES + packed.readUInt32LE(0)
  const heads: PackedHead[] = unpack(packed.subarray(LENGTH_BYTES, headsEnd))
  let offset = headsEnd
  return heads.map(([projectId, codec, coding, byteLength, address, userAgent, headers]) => {
    const bytes = packed.subarray(offset, offset + byteLength)
    offset += byteLength
    const client = {
      address: address ?? undefined,
      userAgent: userAgent ?? undefined,
      headers: headers ?? undefined,
    }
    return { projectId, codec, coding, bytes, client }
  })
}

function packHead({ projectId, codec, coding, bytes, client }: BatchRequest): PackedHead {
  const { address = null, userAgent = null, headers = null } = client
  return [projectId, codec, coding, bytes.length, address, userAgent, headers]
}
