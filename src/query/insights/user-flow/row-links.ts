import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import { monotonicMs } from '../../../kernel/clock.ts'
import { int64Codec, stringArrayCodec, stringCodec, uint64ArrayCodec, uint64Codec } from '../../sql/codec.ts'
import { type CompiledQuery, column, type QueryRunner, type Row, select } from '../../sql/select.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'
import { findRows, isInTime, type VisitRows } from '../../visit-rows/find-rows.ts'
import { soughtBy } from '../event-sql.ts'
import { compileLinks, inTextOrder, type LinkRow } from './compile.ts'
import { isOfRows, rowPathsSql, rowTextsSql } from './row-paths.ts'

/** Reads the links of a query from rows of visits where they suffice, and from events where that takes too long. */
export async function readLinks(
  query: UserFlowQuery,
  context: InsightContext,
  run: QueryRunner,
): Promise<readonly LinkRow[]> {
  const startMs = monotonicMs()
  const cookieless = context.includeCookieless ? 'measured' : 'left out'
  const sought = { ...soughtBy(context), cookieless, sessions: 'overlapping' } as const
  const found = isOfRows(query, context) ? await findRows(sought, run) : undefined
  const links = found && (await readRowLinks(query, context, { rows: found.rows, run, startMs }))
  return links ?? (await run(compileLinks(query, context)))
}

/**
 * Paths of rows are cheap to read, so that reading them twice costs less than counting the links between all labels: the first statement
 * finds the labels that keep their name, and the second one counts links between their places, which are few. `undefined` when they take too long.
 */
async function readRowLinks(
  query: UserFlowQuery,
  context: InsightContext,
  { rows, run, startMs }: { readonly rows: VisitRows; readonly run: QueryRunner; readonly startMs: number },
): Promise<readonly LinkRow[] | undefined> {
  const named = await run(compileNamed(query, context, rows))
  if (!isInTime(startMs)) return undefined
  const links = named.length === 0 ? [] : await run(compilePlacedLinks(query, context, { rows, named }))
  return isInTime(startMs) ? links : undefined
}

const NAMED = { label: column(uint64Codec, sql`label`), text: column(stringCodec, sql`text`) }

/** The labels that most sessions pass, by their rank. */
function compileNamed(
  query: UserFlowQuery,
  context: InsightContext,
  rows: VisitRows,
): CompiledQuery<Row<typeof NAMED>> {
  const counted = sql`SELECT arrayJoin(arrayDistinct(path)) AS label, count() AS total FROM (${rowPathsSql(query, context, rows)}) GROUP BY label`
  return select(
    NAMED,
    sql`FROM (${counted}) AS counted ANY INNER JOIN (${rowTextsSql(query, context, rows)}) AS texts USING (label) ORDER BY total DESC, text LIMIT ${param(int64Codec, query.labelsMax)}`,
  )
}

/** More than there are places. */
const PLACES = 64

/** A label that keeps its name has its rank as its place. All others have the place 0, and an empty text. */
function compilePlacedLinks(
  query: UserFlowQuery,
  context: InsightContext,
  { rows, named }: { readonly rows: VisitRows; readonly named: readonly Row<typeof NAMED>[] },
): CompiledQuery<LinkRow> {
  const size = param(int64Codec, PLACES)
  const labels = param(
    uint64ArrayCodec,
    named.map(({ label }) => label),
  )
  const texts = param(stringArrayCodec, ['', ...named.map(({ text }) => text)])
  const textAt = (place: Sql): Sql => sql`${texts}[${place} + 1]`
  const places = sql`arrayMap(label -> toUInt32(transform(label, ${labels}, arrayEnumerate(${labels}), 0)), path)`
  const link = sql`(hop, source, target) -> toUInt32((hop * ${size} + source) * ${size} + target)`
  const links = sql`SELECT arrayJoin(arrayMap(${link}, arrayEnumerate(arrayPopFront(places)), arrayPopBack(places), arrayPopFront(places))) AS link FROM (SELECT ${places} AS places FROM (${rowPathsSql(query, context, rows)}))`
  return select(
    {
      depth: column(int64Codec, sql`toInt64(intDiv(link, ${size} * ${size})) - 1 AS depth`),
      source: column(stringCodec, sql`${textAt(sql`intDiv(link, ${size}) % ${size}`)} AS source`),
      target: column(stringCodec, sql`${textAt(sql`link % ${size}`)} AS target`),
      value: column(int64Codec, sql`toInt64(count()) AS value`),
    },
    sql`FROM (${links}) GROUP BY link ORDER BY value DESC, depth, ${inTextOrder(sql`source`)}, ${inTextOrder(sql`target`)} LIMIT ${param(int64Codec, query.linksMax)}`,
  )
}
