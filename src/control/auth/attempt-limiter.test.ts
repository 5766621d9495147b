import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { AttemptLimiter } from './attempt-limiter.ts'

const ALLOWANCE = { freeCount: 3, firstMs: 1000, maxMs: 5000 }
const HOUR_MS = 3_600_000

describeCatalog('attempts', (under) => {
  let nowMs: number
  let limiter: AttemptLimiter

  function createLimiter(subject = 'password'): AttemptLimiter {
    const clock = { nowMs: () => nowMs }
    return new AttemptLimiter({
      catalog: under.catalog,
      clock,
      key: Buffer.alloc(32, 1),
      subject,
      allowance: ALLOWANCE,
    })
  }

  beforeEach(() => {
    nowMs = 1_800_000_000_000
    limiter = createLimiter()
  })

  async function takeTimes(count: number): Promise<void> {
    for (let index = 0; index < count; index++) await limiter.take('alice')
  }

  /** Reported seconds until the next attempt is allowed. */
  async function refusal(of = limiter): Promise<number | undefined> {
    try {
      await of.take('alice')
      return undefined
    } catch (error) {
      expect(error).toMatchObject({ code: 'resource_exhausted', reason: 'RATE_LIMITED' })
      return (error as { readonly retryAfterSeconds: number }).retryAfterSeconds
    }
  }

  test('after the free attempts each one doubles the delay, up to the maximum', async () => {
    await takeTimes(4)
    const waits: (number | undefined)[] = []
    for (const waitMs of [1000, 2000, 4000, 5000, 5000]) {
      waits.push(await refusal())
      nowMs += waitMs
      await limiter.take('alice')
    }
    expect(waits).toEqual([1, 2, 4, 5, 5])
  })

  test('a refused attempt does not count', async () => {
    await takeTimes(4)
    expect([await refusal(), await refusal(), await refusal()]).toEqual([1, 1, 1])
    nowMs += 1000
    expect(await refusal()).toBeUndefined()
  })

  test('all processes share the counters, also for concurrent attempts', async () => {
    const both = [limiter, createLimiter()]
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, index) => refusal(both[index % 2])))
    expect(outcomes.filter((seconds) => seconds === undefined)).toHaveLength(4)
  })

  test('names and subjects have separate counters', async () => {
    await takeTimes(4)
    await expect(limiter.take('bob')).resolves.toBeUndefined()
    await expect(createLimiter('link').take('alice')).resolves.toBeUndefined()
  })

  test('a success resets the counter', async () => {
    await takeTimes(4)
    await limiter.clear('alice')
    await takeTimes(4)
    expect(await refusal()).toBe(1)
  })

  test('a returned attempt does not count', async () => {
    await takeTimes(3)
    await limiter.giveBack('alice')
    await takeTimes(2)
    expect(await refusal()).toBe(1)
  })

  test('a counter expires and is deleted an hour after the last attempt', async () => {
    await takeTimes(4)
    nowMs += HOUR_MS + 1
    await limiter.take('bob')
    expect(await under.catalog.selectFrom('sign_in_attempts').select('attempts').execute()).toEqual([
      { attempts: 1 },
    ])
    await takeTimes(4)
    expect(await refusal()).toBe(1)
  })

  test('beyond 50,000 counters the least recently used ones are deleted', async () => {
    const rows = Array.from({ length: 50_001 }, (_, index) => ({
      name: `name ${index}`,
      attempts: 9,
      next_ms: nowMs,
      last_ms: nowMs - index,
    }))
    for (let start = 0; start < rows.length; start += 5000) {
      await under.catalog
        .insertInto('sign_in_attempts')
        .values(rows.slice(start, start + 5000))
        .execute()
    }
    await limiter.take('alice')
    const oldest = await under.catalog
      .selectFrom('sign_in_attempts')
      .select(({ fn }) => [fn.countAll().as('count'), fn.min('last_ms').as('last_ms')])
      .executeTakeFirst()
    expect([Number(oldest?.count), Number(oldest?.last_ms)]).toEqual([50_001, nowMs - 49_999])
  })

  test('a clock that was set back delays no attempt', async () => {
    await takeTimes(4)
    nowMs -= HOUR_MS
    expect(await refusal()).toBeUndefined()
  })

  test('the catalog contains no name in the clear', async () => {
    await takeTimes(1)
    const rows = await under.catalog.selectFrom('sign_in_attempts').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('alice')
  })
})
