import { randomUUID } from 'node:crypto'
import type { ProjectId } from '../../contract/ids.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { runInSlices } from '../../kernel/time-slices.ts'
import { joinStoredBlocks } from '../../pipeline/encode/stored-block.ts'
import type { IdentifyCall } from '../../pipeline/identify/identify-task.ts'
import type { ValidationPool } from '../../pipeline/pool.ts'
import type { Outcome } from '../../pipeline/task.ts'
import { type ClickHouse, insertJsonRows, insertNative } from '../../store/clickhouse/client.ts'
import { generateTraffic, type TrafficOptions } from './generate-traffic.ts'
import type { Action } from './visit.ts'

/** The stores of generated traffic. */
export interface FillOptions {
  readonly projectId: ProjectId
  readonly traffic: TrafficOptions
  /** Validates, enriches and encodes; its blocks go to {@link TrafficBlocks}. */
  readonly pool: Pick<ValidationPool, 'submit' | 'runIdentifies'>
  readonly blocks: TrafficBlocks
  readonly clickhouse: ClickHouse
  readonly signal: AbortSignal
}

/** Rows of one INSERT: they have the partitions of a few months. */
const INSERT_ROWS = 50_000

/** Each takes as long as a pool waits for a task. */
const STARTS_MAX = 3

/** Stored blocks of a pool, kept until they are inserted. */
export class TrafficBlocks {
  #blocks: Buffer[] = []
  #rowCount = 0

  /** Keeps a copy: the memory of the block is reused. */
  readonly commit = async (block: Uint8Array, rowCount: number): Promise<void> => {
    this.#blocks.push(Buffer.from(block))
    this.#rowCount += rowCount
  }

  /** Rows that are kept. */
  get rowCount(): number {
    return this.#rowCount
  }

  /** Empties it. */
  take(): readonly Buffer[] {
    const taken = this.#blocks
    this.#blocks = []
    this.#rowCount = 0
    return taken
  }
}

/**
 * Stores generated traffic in a project: its events take the steps of ingestion, and go to ClickHouse without a journal. Rejects
 * when an event is rejected or cannot be stored.
 */
export async function fillProject(options: FillOptions): Promise<void> {
  const { traffic, blocks, signal } = options
  await untilReady(options)
  const identifies: Action[] = []
  let batch: Action[] = []
  for (const action of generateTraffic(traffic)) {
    batch.push(action)
    if (action.identify) identifies.push(action)
    if (batch.length < LIMITS.batchEventsMax) continue
    signal.throwIfAborted()
    await validate(options, batch)
    batch = []
    if (blocks.rowCount >= INSERT_ROWS) await insertEvents(options)
  }
  if (batch.length > 0) await validate(options, batch)
  await insertIdentifies(options, identifies)
  await insertEvents(options)
}

/** On a busy machine a worker thread takes longer to start than a pool waits for a task: the first task is repeated. */
async function untilReady({ pool, signal }: FillOptions): Promise<void> {
  for (let left = STARTS_MAX; ; left--) {
    try {
      await pool.runIdentifies([])
      return
    } catch (error) {
      if (left === 1 || signal.aborted) throw error
    }
  }
}

/** Sends a batch through the pool, whose rows are then in the blocks. */
async function validate({ pool, projectId }: FillOptions, batch: readonly Action[]): Promise<void> {
  const bytes = Buffer.from(`{"events":[${batch.map(({ event }) => JSON.stringify(event)).join(',')}]}`)
  const client = { address: undefined, userAgent: undefined, headers: undefined }
  const sender = { client, isPublicKey: false, domains: [], blockedKinds: [] }
  const request = { projectId, codec: 'json', coding: 'identity', bytes, ...sender } as const
  const outcome = await new Promise<Outcome>((answer, fail) => pool.submit(request, { answer, fail }))
  if (!('accepted' in outcome)) throw new Error(`a generated event was rejected: ${outcome.message}`)
}

async function insertEvents({ blocks, clickhouse, signal }: FillOptions): Promise<void> {
  const taken = blocks.take()
  if (taken.length === 0) return
  const native = await runInSlices(joinStoredBlocks(taken, Buffer.allocUnsafe))
  await insertNative(clickhouse, { table: 'events', blocks: native, id: randomUUID(), signal })
}

/** Users are identified when they sign up. */
async function insertIdentifies(
  { pool, projectId, clickhouse, signal }: FillOptions,
  actions: readonly Action[],
): Promise<void> {
  const calls = actions.map(({ identify, timeMs }): IdentifyCall => {
    const bytes = Buffer.from(JSON.stringify(identify))
    return { projectId, codec: 'json', coding: 'identity', bytes, receivedMicros: timeMs * 1000 }
  })
  for (let start = 0; start < calls.length; start += LIMITS.taskRequestsMax) {
    const { outcomes, rows } = await pool.runIdentifies(calls.slice(start, start + LIMITS.taskRequestsMax))
    const refused = outcomes.find((outcome) => !outcome.isAccepted)
    if (refused && !refused.isAccepted)
      throw new Error(`a generated Identify call was rejected: ${refused.message}`)
    const blocks = [Buffer.from(rows)]
    await insertJsonRows(clickhouse, { table: 'identifies', blocks, id: randomUUID(), signal })
  }
}
