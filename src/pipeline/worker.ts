import { move, transferableSymbol, valueSymbol } from 'piscina'
import { DecodeError } from './decode/decode-error.ts'
import { decodeBatchJson } from './decode/json.ts'
import { EventsBlockBuilder } from './encode/events-block.ts'
import type { Outcome, Task, TaskRequest, TaskResult } from './task.ts'

/** Lets Piscina move the block to the edge's thread instead of copying it. */
class MovableResult {
  readonly #result: TaskResult

  constructor(result: TaskResult) {
    this.#result = result
  }

  get [transferableSymbol](): object {
    return [this.#result.block.buffer]
  }

  get [valueSymbol](): TaskResult {
    return this.#result
  }
}

/** Decodes and validates each request of a task and encodes the rows of all valid ones into one block. */
export function processTask(task: Task): TaskResult {
  const builder = new EventsBlockBuilder()
  const outcomes = task.requests.map((request) => processRequest(task.bodies, request, builder))
  if (builder.rowCount === 0) return { outcomes, block: new Uint8Array(0), rowCount: 0 }
  const { bytes, rowCount } = builder.finish()
  return { outcomes, block: bytes, rowCount }
}

function processRequest(bodies: ArrayBuffer, request: TaskRequest, builder: EventsBlockBuilder): Outcome {
  try {
    const events = decodeBatchJson(Buffer.from(bodies, request.offset, request.length))
    for (const event of events) builder.add(request.projectId, event)
    return { accepted: events.length }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return { code: error.code, message: error.message, violation: error.violation }
  }
}

/** The pool's entry. */
export function runTask(task: Task): unknown {
  return move(new MovableResult(processTask(task)))
}
