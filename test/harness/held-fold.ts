import { randomUUID } from 'node:crypto'
import type { ClickHouse } from '../../src/store/clickhouse/client.ts'
import { FOLD_ID_PREFIX } from '../../src/store/clickhouse/running-folds.ts'
import { waitFor } from './wait.ts'

/** A statement that computes visits and runs until it is ended. */
export interface HeldFold {
  /** The client, watched for looks at running statements. */
  readonly watched: ClickHouse
  /** Resolves when the watched client has looked for the second time, which only one that waits does. */
  readonly looked: Promise<'waits'>
  end(): Promise<void>
}

/** Starts such a statement, and resolves when it runs. */
export async function holdFold(clickhouse: ClickHouse): Promise<HeldFold> {
  const id = `${FOLD_ID_PREFIX}${randomUUID()}`
  const ended = clickhouse
    .command({
      query:
        'INSERT INTO visits (project) SELECT 0 FROM numbers(100000) WHERE sleepEachRow(0.1) = 0 SETTINGS max_block_size = 1',
      query_id: id,
    })
    .catch(() => undefined)
  await waitFor('the statement', async () => {
    const answer = await clickhouse.query({
      query: `SELECT query_id FROM system.processes WHERE query_id = '${id}'`,
      format: 'JSONEachRow',
    })
    return (await answer.json()).length > 0 ? true : undefined
  })
  return {
    ...watchLooks(clickhouse),
    end: async () => {
      await clickhouse.command({ query: `KILL QUERY WHERE query_id = '${id}' SYNC` })
      await ended
    },
  }
}

function watchLooks(clickhouse: ClickHouse): Pick<HeldFold, 'looked' | 'watched'> {
  let looks = 0
  const { promise, resolve } = Promise.withResolvers<'waits'>()
  const query: ClickHouse['query'] = async (params) => {
    if (params.query.includes('initial_query_id') && ++looks === 2) resolve('waits')
    return await clickhouse.query(params)
  }
  const watched = new Proxy(clickhouse, {
    get: (client, name) => (name === 'query' ? query : Reflect.get(client, name)),
  })
  return { watched, looked: promise }
}
