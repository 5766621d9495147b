import { afterEach, describe, expect, test, vi } from 'vitest'
import { diskError, FakeDisk } from '../../../test/harness/fake-disk.ts'
import { createLogger } from '../../kernel/log.ts'
import { STALL_MS } from '../../kernel/stall-detector.ts'
import { type Journal, type JournalOptions, openJournal } from './journal.ts'
import { refusedBlocks } from './journal-metrics.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const NEVER_MS = 1_000_000
const opened: Journal[] = []

async function open(disk: FakeDisk, extra: Partial<JournalOptions> = {}): Promise<Journal> {
  const journal = await openJournal({
    folder: '/j',
    quarantineFolder: '/q',
    bytesMax: 1e9,
    sync: 'always',
    files: disk,
    log,
    batchRowsMax: 1000,
    batchBytesMax: 1e6,
    batchMs: NEVER_MS,
    ...extra,
  })
  opened.push(journal)
  return journal
}

afterEach(async () => {
  vi.useRealTimers()
  for (const journal of opened.splice(0)) await journal.close()
})

/** The texts of a journal's sealed segments. */
async function texts(journal: Journal): Promise<string[]> {
  const reads = await Promise.all(journal.waiting().map(async (segment) => await journal.read(segment)))
  return reads.flatMap(({ bytes, scan }) =>
    scan.records.map(({ payloadStart, end }) => bytes.toString('utf8', payloadStart, end)),
  )
}

async function append(journal: Journal, text: string, rowCount = 1): Promise<void> {
  await journal.append(Buffer.from(text), rowCount)
}

async function restart(disk: FakeDisk, extra: Partial<JournalOptions> = {}): Promise<Journal> {
  disk.crash(() => 0)
  return await open(disk, extra)
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

describe('an append', () => {
  test('is durable when it resolves', async () => {
    const disk = new FakeDisk()
    await append(await open(disk), 'a')
    expect(await texts(await restart(disk))).toEqual(['a'])
  })

  test('waits for the disk, and appends that arrive meanwhile share one sync', async () => {
    const disk = new FakeDisk()
    const journal = await open(disk)
    await append(journal, 'first')
    const before = disk.syncCount
    const slow = gate()
    disk.beforeSync = () => slow.opened
    let resolved = 0
    const appends = Array.from({ length: 100 }, async (_, index) => {
      await append(journal, `${index}`)
      resolved++
    })
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(resolved).toBe(0)
    slow.open()
    await Promise.all(appends)
    expect(disk.syncCount - before).toBe(1)
  })

  test('with a period resolves before the sync, which follows', async () => {
    const disk = new FakeDisk()
    const journal = await open(disk, { sync: 1 })
    const synced = gate()
    disk.beforeSync = async () => synced.open()
    await append(journal, 'a')
    expect(disk.syncCount).toBe(0)
    await synced.opened
  })

  test('with a period, a crash loses nothing but the appends since the last sync', async () => {
    const disk = new FakeDisk()
    const journal = await open(disk, { sync: 1 })
    await append(journal, 'a')
    await expect.poll(() => disk.syncCount).toBe(1)
    disk.beforeSync = () => new Promise(() => undefined)
    await append(journal, 'b')
    opened.length = 0
    disk.beforeSync = async () => undefined
    expect(await texts(await restart(disk))).toEqual(['a'])
  })

  test('with a period, is durable when its segment is sealed', async () => {
    const disk = new FakeDisk()
    const journal = await open(disk, { sync: NEVER_MS, batchRowsMax: 2 })
    const sealed = gate()
    journal.onSealed(sealed.open)
    await append(journal, 'a')
    await append(journal, 'b')
    await sealed.opened
    expect(await texts(await restart(disk))).toEqual(['a', 'b'])
  })

  test('with a period, is durable when the journal is closed', async () => {
    const disk = new FakeDisk()
    const journal = await open(disk, { sync: NEVER_MS })
    await append(journal, 'a')
    await journal.close()
    expect(await texts(await restart(disk))).toEqual(['a'])
  })

  test('survives short writes', async () => {
    const disk = new FakeDisk()
    disk.writeMax = 7
    const journal = await open(disk)
    await Promise.all(['one', 'two', 'three'].map(async (text) => await append(journal, text)))
    expect(await texts(await restart(disk))).toEqual(['one', 'two', 'three'])
  })

  test('is rejected above the byte limit, and accepted again after a delivery', async () => {
    const journal = await open(new FakeDisk(), { bytesMax: 200 })
    await append(journal, 'x'.repeat(100))
    await expect(append(journal, 'y'.repeat(100))).rejects.toMatchObject({
      code: 'resource_exhausted',
      reason: 'OVERLOADED',
      retryAfterSeconds: 1,
    })
    await journal.seal()
    const [segment] = journal.waiting()
    if (segment) await journal.remove(segment)
    expect(journal.bytes).toBe(0)
    await append(journal, 'y'.repeat(100))
  })

  test('after close is rejected', async () => {
    const journal = await open(new FakeDisk())
    await journal.close()
    await expect(append(journal, 'a')).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a full disk', () => {
  test('rejects appends, truncates the partial write, and accepts appends again when there is space', async () => {
    const disk = new FakeDisk()
    const journal = await open(disk)
    await append(journal, 'kept')
    disk.spaceLeft = 50
    await expect(append(journal, 'z'.repeat(100))).rejects.toMatchObject({ code: 'resource_exhausted' })
    expect(journal.isFull).toBe(true)
    expect(disk.spaceLeft).toBe(50)
    disk.spaceLeft = 10_000
    await append(journal, 'later')
    expect(await texts(await restart(disk))).toEqual(['kept', 'later'])
  })

  test('still lets a segment be sealed and delivered', async () => {
    const disk = new FakeDisk()
    const journal = await open(disk)
    await append(journal, 'kept')
    disk.spaceLeft = 0
    await journal.seal()
    expect(await texts(journal)).toEqual(['kept'])
  })

  test('frees the spare files first', async () => {
    const disk = new FakeDisk()
    const journal = await open(disk, { batchBytesMax: 1000 })
    for (const text of ['a', 'b', 'c']) await append(journal, text.repeat(1000))
    for (const segment of journal.waiting()) await journal.remove(segment)
    expect(disk.paths.some((path) => path.endsWith('.spare'))).toBe(true)
    disk.spaceLeft = 0
    await append(journal, 'd'.repeat(900))
    await append(journal, 'e'.repeat(900))
    expect(await texts(await restart(disk))).toEqual(['d'.repeat(900), 'e'.repeat(900)])
  })
})

describe('a process without a descriptor left', () => {
  /** A journal whose next record needs a file that is not open yet. */
  async function openSpent(disk: FakeDisk): Promise<Journal> {
    const journal = await open(disk)
    await append(journal, 'kept')
    await journal.seal()
    return journal
  }

  test('waits for one, and then accepts the append', async () => {
    const disk = new FakeDisk()
    const journal = await openSpent(disk)
    disk.openingsRefused = 3
    for (const text of ['a', 'b']) {
      await append(journal, text)
      await journal.seal()
    }
    expect(disk.openingsRefused).toBe(0)
    expect(await texts(journal)).toEqual(['kept', 'a', 'b'])
  })

  test('rejects appends, leaves no files behind, and accepts appends again when there is one', async () => {
    const disk = new FakeDisk()
    const journal = await openSpent(disk)
    await append(journal, 'a')
    await journal.seal()
    disk.openingsRefused = Number.POSITIVE_INFINITY
    // A file made ahead may still be there for the first.
    const outcomes = []
    for (const text of ['b', 'c']) {
      outcomes.push(await append(journal, text).catch((error: unknown) => error))
      await journal.seal()
    }
    expect(outcomes.at(-1)).toMatchObject({ code: 'resource_exhausted', reason: 'OVERLOADED' })
    const files = disk.paths.length
    disk.openingsRefused = 0
    await append(journal, 'later')
    await journal.seal()
    expect(await texts(journal)).toEqual(expect.arrayContaining(['kept', 'a', 'later']))
    // Its own file, and the one made ahead.
    expect(disk.paths.length).toBeLessThanOrEqual(files + 2)
  })
})

describe('a broken disk', () => {
  test.each(['write', 'sync'] as const)('ends all acknowledgements when a %s fails', async (operation) => {
    const disk = new FakeDisk()
    const journal = await open(disk)
    await append(journal, 'kept')
    disk.faults[operation] = diskError('EIO')
    const results = await Promise.allSettled(['a', 'b'].map(async (text) => await append(journal, text)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await journal.failed).toBeInstanceOf(Error)
    await expect(append(journal, 'c')).rejects.toMatchObject({ code: 'unavailable' })
    expect(journal.isFull).toBe(true)
    expect(await texts(await restart(disk))).toEqual(['kept'])
  })

  test('a sync that fails for lack of space is not retried', async () => {
    const disk = new FakeDisk()
    const journal = await open(disk)
    disk.faults.sync = diskError('ENOSPC')
    await expect(append(journal, 'a')).rejects.toMatchObject({ code: 'unavailable' })
    expect(await journal.failed).toBeInstanceOf(Error)
  })
})

describe('a disk that does not respond', () => {
  test.each<['always' | number]>([['always'], [1]])(
    'blocks no request, and is used again when it answers (sync: %s)',
    async (sync) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const disk = new FakeDisk()
      const journal = await open(disk, { sync })
      await append(journal, 'kept')
      const hung = gate()
      const isHanging = gate()
      disk.beforeSync = async () => {
        isHanging.open()
        await hung.opened
      }
      const begun = Promise.allSettled([append(journal, 'begun')])
      await vi.advanceTimersByTimeAsync(1)
      await isHanging.opened
      const behind = Promise.allSettled([append(journal, 'behind')])
      expect(journal.isFull).toBe(false)
      await vi.advanceTimersByTimeAsync(STALL_MS)
      const isTold = { status: 'rejected', reason: expect.objectContaining({ code: 'unavailable' }) }
      const isWritten = { status: 'fulfilled' }
      expect(await begun).toMatchObject([sync === 'always' ? isTold : isWritten])
      expect(await behind).toMatchObject([sync === 'always' ? isTold : isWritten])
      expect(journal.isFull).toBe(true)
      await expect(append(journal, 'late')).rejects.toMatchObject({
        code: 'resource_exhausted',
        retryAfterSeconds: 1,
      })

      hung.open()
      await vi.waitFor(() => expect(journal.isFull).toBe(false))
      await append(journal, 'again')
      await journal.seal()
      const expected = sync === 'always' ? ['kept', 'begun', 'again'] : ['kept', 'begun', 'behind', 'again']
      expect(await texts(journal)).toEqual(expected)
      expect(journal.bytes).toBe(journal.waiting().reduce((sum, { bytes }) => sum + bytes, 0))
    },
  )

  test('and fails at last has rejected each block once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const disk = new FakeDisk()
    const journal = await open(disk)
    const refuse = vi.spyOn(refusedBlocks, 'inc')
    const hung = Promise.withResolvers<void>()
    disk.beforeSync = async () => await hung.promise
    const begun = expect(append(journal, 'begun')).rejects.toMatchObject({ code: 'unavailable' })
    await vi.advanceTimersByTimeAsync(STALL_MS)
    await begun
    hung.reject(diskError('EIO'))
    expect(await journal.failed).toBeInstanceOf(Error)
    expect(refuse.mock.calls).toEqual([[{ reason: 'disk_stalled' }]])
    refuse.mockRestore()
  })
})

describe('a segment', () => {
  test.each<[string, Partial<JournalOptions>]>([
    ['rows', { batchRowsMax: 3 }],
    ['bytes', { batchBytesMax: 100 }],
    ['time', { batchMs: 1 }],
  ])('is sealed at its limit of %s', async (_, limit) => {
    const journal = await open(new FakeDisk(), limit)
    const sealed = gate()
    journal.onSealed(sealed.open)
    await append(journal, 'x'.repeat(100), 3)
    await sealed.opened
    expect(journal.waiting()).toMatchObject([{ rowCount: 3 }])
  })

  test('grows beyond its time while another one waits, and is sealed when that one is taken', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const journal = await open(new FakeDisk(), { batchMs: 1 })
    const first = gate()
    journal.onSealed(first.open)
    await append(journal, 'a')
    vi.advanceTimersByTime(2)
    await first.opened
    const second = gate()
    journal.onSealed(second.open)
    await append(journal, 'b')
    vi.advanceTimersByTime(2)
    await append(journal, 'c')
    expect(journal.segmentCount).toBe(1)
    for (const segment of journal.waiting()) journal.take(segment)
    await second.opened
    expect(await texts(journal)).toEqual(['b', 'c'])
  })

  test('reuses the file of a delivered one, whose bytes never reappear', async () => {
    const disk = new FakeDisk()
    const journal = await open(disk, { batchRowsMax: 3 })
    for (const text of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) await append(journal, text)
    for (const segment of journal.waiting()) await journal.remove(segment)
    for (const text of ['c1', 'c2', 'c3', 'd1', 'd2', 'd3', 'e1']) await append(journal, text)
    expect(disk.paths.length).toBeLessThan(6)
    const recovered = await restart(disk)
    expect(await texts(recovered)).toEqual(['c1', 'c2', 'c3', 'd1', 'd2', 'd3', 'e1'])
  })
})

describe('a start', () => {
  async function crashed(): Promise<{ disk: FakeDisk; path: string }> {
    const disk = new FakeDisk()
    const journal = await open(disk)
    for (const text of ['one', 'seconds', 'last']) await append(journal, text, text.length)
    disk.crash(() => 0)
    const path = disk.paths.find((name) => disk.bytesOf(name).length > 0) ?? ''
    return { disk, path }
  }

  test('gives a segment the same token each time', async () => {
    const { disk } = await crashed()
    const ids = (await open(disk)).waiting().map(({ id }) => id)
    expect(ids).toHaveLength(1)
    expect((await restart(disk)).waiting().map(({ id }) => id)).toEqual(ids)
  })

  test('quarantines damage, logs it, and delivers the rest', async () => {
    const { disk, path } = await crashed()
    const at = disk.bytesOf(path).indexOf('seconds')
    disk.bytesOf(path).write('S', at)
    const journal = await open(disk)
    expect(await texts(journal)).toEqual(['one', 'last'])
    const entry = disk.paths.find((name) => name.startsWith('/q/') && name.endsWith('.json')) ?? ''
    expect(JSON.parse(disk.bytesOf(entry).toString())).toMatchObject({
      reason: 'damaged',
      rows: 7,
      offset: 35,
      segment: journal.waiting()[0]?.id,
    })
  })

  test('leaves unknown files alone', async () => {
    const { disk } = await crashed()
    disk.put('/j/notes.txt', Buffer.from('mine'))
    expect(await texts(await open(disk))).toEqual(['one', 'seconds', 'last'])
    expect(disk.bytesOf('/j/notes.txt').toString()).toBe('mine')
  })

  test('skips an unreadable segment and leaves its file', async () => {
    const { disk, path } = await crashed()
    disk.faults.read = diskError('EIO')
    const journal = await open(disk)
    expect(journal.segmentCount).toBe(0)
    expect(disk.paths).toContain(path)
  })

  test('delivers the segments on a full disk', async () => {
    const { disk } = await crashed()
    disk.spaceLeft = 0
    expect(await texts(await open(disk))).toEqual(['one', 'seconds', 'last'])
  })

  test('finds damage that came later when it reads a segment again', async () => {
    const { disk, path } = await crashed()
    const journal = await open(disk)
    disk.bytesOf(path).write('L', disk.bytesOf(path).indexOf('last'))
    expect(await texts(journal)).toEqual(['one', 'seconds'])
    expect(disk.paths.some((name) => name.startsWith('/q/'))).toBe(true)
  })
})
