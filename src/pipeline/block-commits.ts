import { assert } from '../kernel/assert.ts'
import type { TaskResult } from './task.ts'

/** Makes the rows of a finished task durable. When it resolves, the requests are answered and the block's memory is reused. */
export type CommitBlock = (block: Uint8Array, rowCount: number) => Promise<void>

/** The journals of a pool. */
export interface CommitBlocks {
  readonly commitBlock: CommitBlock
  /** Makes rows of `identifies` durable; requests of other vendors' SDKs need it. */
  readonly commitIdentifies?: CommitBlock
}

/** The reason why rows could not be committed. */
export interface CommitFailure {
  readonly error: unknown
}

/** Blocks that the journals are writing: while they are more, no task starts. */
const COMMITTING_BYTES_MAX = 64 * 1024 * 1024

/** Commits the rows of finished tasks. */
export class BlockCommits {
  readonly #options: CommitBlocks & { readonly onRoom: () => void }
  #bytes = 0

  /** `onRoom` is called when there is room again. */
  constructor(options: CommitBlocks & { readonly onRoom: () => void }) {
    this.#options = options
  }

  /** Whether the journals have so much to write that more blocks would only wait in memory. */
  get isFull(): boolean {
    return this.#bytes >= COMMITTING_BYTES_MAX
  }

  /** Both journals have their rows when this resolves, or one of them failed. */
  async commit(
    block: Uint8Array,
    rowCount: number,
    { identifyRows, identifyCount }: Pick<TaskResult, 'identifyRows' | 'identifyCount'>,
  ): Promise<CommitFailure | undefined> {
    const { commitBlock, commitIdentifies } = this.#options
    if (identifyCount === 0)
      return rowCount === 0 ? undefined : await this.#commitTo(commitBlock, block, rowCount)
    assert(commitIdentifies, 'a pool of foreign requests has a journal of identifies')
    const identifies = this.#commitTo(commitIdentifies, Buffer.from(identifyRows), identifyCount)
    const events = rowCount === 0 ? undefined : this.#commitTo(commitBlock, block, rowCount)
    const failures = await Promise.all([events, identifies])
    return failures.find((failure) => failure !== undefined)
  }

  async #commitTo(
    commit: CommitBlock,
    block: Uint8Array,
    rowCount: number,
  ): Promise<CommitFailure | undefined> {
    this.#bytes += block.length
    try {
      await commit(block, rowCount)
      return undefined
    } catch (error) {
      return { error }
    } finally {
      const wasFull = this.isFull
      this.#bytes -= block.length
      if (wasFull) this.#options.onRoom()
    }
  }
}
