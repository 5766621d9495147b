import type { JournalFile, JournalFiles } from '../../src/pipeline/journal/files.ts'

interface Inode {
  bytes: Buffer
  durable: Buffer
  /** Writes since the last sync. */
  unsynced: { readonly position: number; readonly data: Buffer }[]
}

type Names = ReadonlyMap<string, Inode>

/** An error as the operating system gives it. */
export function diskError(code: string): Error {
  return Object.assign(new Error(`${code}: fake`), { code })
}

/**
 * A disk in memory, for tests: it can be full, broken or slow, and it forgets on a crash what was not made durable, as
 * a machine that loses its power does.
 */
export class FakeDisk implements JournalFiles {
  #names: Map<string, Inode> = new Map()
  /** The folder after each change since it was last durable, the durable one first. */
  #history: Names[] = [new Map()]
  #generation = 0
  /** Bytes that may still be written. */
  spaceLeft = Number.POSITIVE_INFINITY
  /** The most bytes that one write takes. */
  writeMax = Number.POSITIVE_INFINITY
  /** Thrown by the next write, sync or read. */
  readonly faults: { write?: Error; sync?: Error; read?: Error } = {}
  /** Files and folders cannot be opened this many times more. */
  openingsRefused = 0
  /** Awaited by each sync. */
  beforeSync: () => Promise<void> = async () => undefined
  syncCount = 0

  /** Paths that are there now. */
  get paths(): readonly string[] {
    return [...this.#names.keys()].sort()
  }

  /** The content of a file, to be changed behind the journal's back. */
  bytesOf(path: string): Buffer {
    return this.#inode(path).bytes
  }

  /** Puts a file there. */
  put(path: string, bytes: Buffer): void {
    this.#names.set(path, { bytes, durable: bytes, unsynced: [] })
    this.#history = [new Map(this.#names)]
  }

  /**
   * Ends every process that uses the disk. `keep` chooses how much of what is not durable stays, from 0 to `max`:
   * bytes of each file, in the order in which they were written, and changes of names.
   */
  crash(keep: (max: number) => number): void {
    this.#generation++
    const names = this.#history[keep(this.#history.length - 1)] ?? new Map<string, Inode>()
    for (const inode of new Set(names.values())) {
      const unsyncedBytes = inode.unsynced.reduce((sum, { data }) => sum + data.length, 0)
      let left = keep(unsyncedBytes)
      inode.bytes = inode.durable
      for (const { position, data } of inode.unsynced) {
        overwrite(inode, position, data.subarray(0, left))
        left -= Math.min(left, data.length)
      }
      inode.durable = Buffer.from(inode.bytes)
      inode.unsynced = []
    }
    this.#names = new Map(names)
    this.#history = [new Map(names)]
  }

  async list(folder: string): Promise<readonly string[]> {
    const prefix = `${folder}/`
    return this.paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
  }

  async create(path: string): Promise<JournalFile> {
    this.#takeDescriptor()
    if (this.spaceLeft <= 0) throw diskError('ENOSPC')
    if (this.#names.has(path)) throw diskError('EEXIST')
    this.#rename(() =>
      this.#names.set(path, { bytes: Buffer.alloc(0), durable: Buffer.alloc(0), unsynced: [] }),
    )
    return this.#handle(this.#inode(path))
  }

  async open(path: string): Promise<JournalFile> {
    this.#takeDescriptor()
    return this.#handle(this.#inode(path))
  }

  async openToRead(path: string): Promise<JournalFile> {
    return await this.open(path)
  }

  async rename(from: string, to: string): Promise<void> {
    const inode = this.#inode(from)
    this.#rename(() => {
      this.#names.delete(from)
      this.#names.set(to, inode)
    })
  }

  async remove(path: string): Promise<void> {
    const inode = this.#names.get(path)
    if (!inode) return
    this.spaceLeft += inode.bytes.length
    this.#rename(() => this.#names.delete(path))
  }

  async syncFolder(): Promise<void> {
    this.#history = [new Map(this.#names)]
  }

  #rename(change: () => void): void {
    change()
    this.#history.push(new Map(this.#names))
  }

  #takeDescriptor(): void {
    if (this.openingsRefused === 0) return
    this.openingsRefused--
    throw diskError('EMFILE')
  }

  #inode(path: string): Inode {
    const inode = this.#names.get(path)
    if (!inode) throw diskError('ENOENT')
    return inode
  }

  #handle(inode: Inode): JournalFile {
    const generation = this.#generation
    const alive = (fault?: 'write' | 'sync' | 'read'): void => {
      if (generation !== this.#generation) throw diskError('EIO')
      const error = fault && this.faults[fault]
      if (fault) delete this.faults[fault]
      if (error) throw error
    }
    return {
      size: async () => inode.bytes.length,
      read: async (target, position) => {
        alive('read')
        return inode.bytes.copy(target, 0, position)
      },
      write: async (buffers, position) => {
        alive('write')
        return this.#write(inode, Buffer.concat(buffers), position)
      },
      sync: async () => {
        await this.beforeSync()
        alive('sync')
        this.syncCount++
        inode.durable = Buffer.from(inode.bytes)
        inode.unsynced = []
      },
      truncate: async (length) => {
        alive()
        this.spaceLeft += Math.max(0, inode.bytes.length - length)
        inode.bytes = Buffer.from(inode.bytes.subarray(0, length))
      },
      close: async () => undefined,
    }
  }

  #write(inode: Inode, bytes: Buffer, position: number): number {
    const growth = (count: number): number => Math.max(0, position + count - inode.bytes.length)
    const room = inode.bytes.length - position + this.spaceLeft
    const count = Math.min(bytes.length, this.writeMax, room)
    if (count <= 0) throw diskError('ENOSPC')
    this.spaceLeft -= growth(count)
    const data = Buffer.from(bytes.subarray(0, count))
    overwrite(inode, position, data)
    inode.unsynced.push({ position, data })
    return count
  }
}

function overwrite(inode: Inode, position: number, data: Buffer): void {
  const length = Math.max(inode.bytes.length, position + data.length)
  const grown = Buffer.alloc(length)
  inode.bytes.copy(grown)
  data.copy(grown, position)
  inode.bytes = grown
}
