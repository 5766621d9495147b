import { stringArrayCodec, stringCodec } from '../../sql/codec.ts'
import { column, select } from '../../sql/select.ts'
import { param, sql } from '../../sql/sql.ts'
import { fitParams } from '../../sql/statement-size.ts'
import { type ErasureKey, idsOf, project } from './erased-rows.ts'
import type { ErasureStore } from './person-tables.ts'

/** Filters for the ids that belong to the user: only their hashes are still stored. */
export async function findErasedIds(
  { run }: Pick<ErasureStore, 'run'>,
  { ids, ...key }: ErasureKey & { readonly ids: readonly string[] },
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const erased = new Set<string>()
  for (const list of fitParams(ids)) {
    const some = param(stringArrayCodec, list)
    const rows = await run(
      select(
        { id: column(stringCodec, sql`id`) },
        sql`FROM (SELECT arrayJoin(${some}) AS id) WHERE sipHash64(${project(key)}, id) IN ${idsOf(key)}`,
      ),
      signal,
    )
    for (const { id } of rows) erased.add(id)
  }
  return erased
}
