import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FakeDisk } from '../../../test/harness/fake-disk.ts'
import { propertyRuns } from '../../../test/harness/profile.ts'
import { createLogger } from '../../kernel/log.ts'
import { type ClickHouse, type InsertRows, openClickHouse } from '../../store/clickhouse/client.ts'
import { Shipper } from '../ship/shipper.ts'
import { type Journal, openJournal } from './journal.ts'

/** Sequences to try; a longer run: `JOURNAL_RUNS=20000 vitest run src/pipeline/journal/crash.test.ts`. */
const RUNS = Number(process.env.JOURNAL_RUNS ?? propertyRuns(1000))

const log = createLogger({ role: 'test', level: 'silent' })
// Nothing connects to it: the INSERTs of these tests go to a Sink.
const nowhere: ClickHouse = openClickHouse(
  { url: 'http://127.0.0.1:1' },
  { application: 'test', connectionsMax: 1, requestTimeoutMs: 1 },
)

type Weather = 'up' | 'down' | 'answers get lost' | 'takes, then dies'

/** A stand-in for ClickHouse in which copies collapse. */
class Sink {
  readonly contents = new Map<string, string>()
  /** The faults of the blocks that arrived. */
  readonly faults: string[] = []
  weather: Weather = 'up'

  take({ id, blocks }: InsertRows): void {
    if (this.weather === 'down') throw new Error('connect ECONNREFUSED')
    const content = Buffer.concat(blocks).toString()
    const known = this.contents.get(id)
    if (known !== undefined && known !== content) this.faults.push(`the content of ${id} changed`)
    if (content.replaceAll(BLOCK, '') !== '') this.faults.push(`${id} holds something else than blocks`)
    this.contents.set(id, content)
    if (this.weather !== 'up') throw new Error('socket hang up')
  }

  /** Numbers of the delivered records, each as often as it was counted. */
  get records(): number[] {
    return [...this.contents.values()].flatMap((content) =>
      [...content.matchAll(BLOCK)].map(([, n]) => Number(n)),
    )
  }
}

/** A number, and as much of a letter as the block's bytes; the last byte ends it. */
const BLOCK = /#(\d+);([a-z])\2*!/g

function makeBlock(number: number, size: number): Buffer {
  return Buffer.from(`${`#${number};`.padEnd(size, String.fromCharCode(97 + (number % 26)))}!`)
}

/** One edge process after the other on one disk. */
class World {
  readonly sink = new Sink()
  readonly acknowledged: number[] = []
  readonly #disk = new FakeDisk()
  readonly #sync: 'always' | number
  #appended = 0
  #pending: Promise<unknown>[] = []
  #process: { journal: Journal; shipper: Shipper; isDead: boolean } | undefined

  constructor(sync: 'always' | number) {
    this.#sync = sync
  }

  get appended(): number {
    return this.#appended
  }

  async start(): Promise<void> {
    const journal = await openJournal({
      folder: '/j',
      quarantineFolder: '/q',
      bytesMax: 1e9,
      sync: this.#sync,
      files: this.#disk,
      log,
      batchRowsMax: 20,
      batchBytesMax: 2000,
      batchMs: 3,
    })
    const process = { journal, isDead: false }
    const insert = async (_: ClickHouse, native: InsertRows): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve))
      if (process.isDead) throw new Error('this process is gone')
      this.sink.take(native)
    }
    const retry = { firstMs: 1, maxMs: 2 }
    const shipper = new Shipper({
      toBlocks: async (payloads) => payloads.map((payload) => Buffer.from(payload)),
      journal,
      clickhouse: nowhere,
      log,
      insert,
      retry,
    })
    shipper.start()
    this.#process = Object.assign(process, { shipper })
  }

  append(size: number): void {
    const number = this.#appended++
    const done = this.#process?.journal.append(makeBlock(number, size), 1).then(
      () => this.acknowledged.push(number),
      () => undefined,
    )
    if (done) this.#pending.push(done)
  }

  async settle(): Promise<void> {
    await Promise.all(this.#pending.splice(0))
  }

  async turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
  }

  async seal(): Promise<void> {
    await this.#process?.journal.seal()
  }

  /** The end of the process, with all files as `keep` says; then the next process. */
  async crash(keep: (max: number) => number): Promise<void> {
    const before = this.#process
    if (before) before.isDead = true
    this.#disk.crash(keep)
    await this.settle()
    await before?.shipper.drain(0)
    await before?.journal.close()
    await this.start()
  }

  async finish(): Promise<number> {
    await this.settle()
    this.sink.weather = 'up'
    const left = await this.#process?.shipper.drain(10_000)
    await this.#process?.journal.close()
    return left ?? -1
  }
}

type Step = (world: World) => Promise<void> | void

const weathers: readonly Weather[] = ['up', 'down', 'answers get lost', 'takes, then dies']

function steps(keep: fc.Arbitrary<Keep>): fc.Arbitrary<Step[]> {
  return fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.array(fc.integer({ min: 10, max: 400 }), { minLength: 1, maxLength: 12 }).map(
          (sizes): Step =>
            (world) => {
              for (const size of sizes) world.append(size)
            },
        ),
      },
      { weight: 3, arbitrary: fc.constant<Step>(async (world) => await world.settle()) },
      { weight: 4, arbitrary: fc.constant<Step>(async (world) => await world.turn()) },
      { weight: 1, arbitrary: fc.constant<Step>(async (world) => await world.seal()) },
      {
        weight: 2,
        arbitrary: keep.map(
          (choose): Step =>
            async (world) =>
              await world.crash(choose),
        ),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(...weathers).map(
          (weather): Step =>
            (world) => {
              world.sink.weather = weather
            },
        ),
      },
    ),
    { maxLength: 40 },
  )
}

interface Durability {
  readonly sync: 'always' | number
  /** Whether acknowledged records may be lost; nothing may ever be counted twice. */
  readonly mayLose: boolean
}

async function check({ sync, mayLose }: Durability, sequence: readonly Step[]): Promise<void> {
  const world = new World(sync)
  await world.start()
  for (const step of sequence) await step(world)
  expect(await world.finish()).toBe(0)
  const { records, faults } = world.sink
  const delivered = new Set(records)
  const lost = world.acknowledged.filter((number) => !delivered.has(number))
  expect(faults).toEqual([])
  expect(records).toHaveLength(delivered.size)
  expect(mayLose ? [] : lost).toEqual([])
  expect(records.every((number) => number < world.appended)).toBe(true)
}

type Keep = (max: number) => number

const loseAnything: fc.Arbitrary<Keep> = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 })
  .map((shares) => {
    let index = 0
    return (max: number) => Math.round((shares[index++ % shares.length] ?? 0) * max)
  })

const loseNothing: fc.Arbitrary<Keep> = fc.constant((max: number) => max)

const ALWAYS = { sync: 'always', mayLose: false } as const
const PERIOD = { sync: 2, mayLose: false } as const

test.each<[string, Durability, fc.Arbitrary<Keep>]>([
  ['the power fails, each append is synced', ALWAYS, loseAnything],
  ['the process is killed, each append is synced', ALWAYS, loseNothing],
  ['the process is killed, a sync now and then', PERIOD, loseNothing],
  ['the power fails, a sync now and then', { ...PERIOD, mayLose: true }, loseAnything],
])('every record is delivered exactly once: %s', { timeout: 3_600_000 }, async (_, durability, keep) => {
  await fc.assert(
    fc.asyncProperty(steps(keep), async (sequence) => await check(durability, sequence)),
    { numRuns: RUNS },
  )
})
