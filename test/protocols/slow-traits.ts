import { FilterOperator } from '../../src/contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import { readEngineEndpoint } from '../../src/store/embedded/endpoint.ts'
import type { TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'

/** ClickHouse checks for cancellation between two sleeps. */
const NAP_SECONDS = 0.1

/** Far longer than any deadline of a test. */
const SLOW_SECONDS = 20

/** A filter that every event of an anonymous user passes, once all traits were read. */
export const SLOW_FILTER = {
  property: 'slow',
  operator: FilterOperator.IS_NOT_SET,
  source: PropertySource.PROFILE,
} as const

/** The store of a service, from behind. */
export class StoreBackdoor {
  readonly #service: TestService

  constructor(service: TestService) {
    this.#service = service
  }

  /** Every read of traits takes that long from now on: {@link SLOW_FILTER} makes a query read them. */
  async makeTraitsSlow(seconds = SLOW_SECONDS): Promise<void> {
    const napCount = Math.ceil(seconds / NAP_SECONDS)
    const naps = `SELECT sleep(${NAP_SECONDS}) AS slept FROM numbers(${napCount}) SETTINGS max_block_size = 1`
    await this.#run(`INSERT INTO traits VALUES (1, 1, '${SLOW_FILTER.property}', '1', 1)`)
    await this.#run('RENAME TABLE traits TO traits_kept')
    await this.#run(
      `CREATE VIEW traits AS SELECT kept.* FROM traits_kept AS kept CROSS JOIN (${naps}) AS naps`,
    )
  }

  /** Back to normal. */
  async makeTraitsFast(): Promise<void> {
    await this.#run('DROP VIEW traits')
    await this.#run('RENAME TABLE traits_kept TO traits')
  }

  /** Resolves when the service has that many queries under way in ClickHouse. */
  async untilQueries(count: number): Promise<void> {
    await waitFor(`${count} queries in ClickHouse`, async () =>
      (await this.#countQueries()) === count ? true : undefined,
    )
  }

  async #countQueries(): Promise<number> {
    const user = readEngineEndpoint(this.#service.dataDir)?.reader.user
    return Number(await this.#run(`SELECT count() FROM system.processes WHERE user = '${user}'`))
  }

  async #run(statement: string): Promise<string> {
    const endpoint = readEngineEndpoint(this.#service.dataDir)
    if (!endpoint) throw new Error('the store has no endpoint')
    const { user, password } = endpoint.admin
    const response = await fetch(`${endpoint.url}/?database=millrace`, {
      method: 'POST',
      headers: { 'x-clickhouse-user': user, 'x-clickhouse-key': password },
      body: statement,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }
}
