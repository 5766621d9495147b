import { strictEqual } from 'node:assert'
import { fromJson, type JsonObject } from '@bufbuild/protobuf'
import {
  type QueryRequest,
  QueryRequestSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { Prng } from '../../src/kernel/prng.ts'
import { chunk, writeBatch } from '../corpus/fixtures.ts'
import { OWN_FORMS } from '../corpus/own-forms.ts'
import { generateVisits, type VisitEvent } from '../corpus/visits.ts'
import { AGENTS, PLACES } from '../corpus/vocabulary.ts'
import { createFreshBodies } from './fresh-bodies.ts'
import { batchCreate, sendLoad } from './load.ts'
import type { BenchService } from './service.ts'
import { untilSettled } from './store.ts'
import { type Range, sumPoints, totalByDay } from './trends.ts'

/** Thirty days over the end of a month. */
export const FRESH: Range = { fromMs: Date.UTC(2026, 2, 16), toMs: Date.UTC(2026, 3, 15) }

/** As many earlier days, in partitions of their own: they are merged, whether the others are or not. */
export const MERGED: Range = { fromMs: Date.UTC(2026, 0, 16), toMs: Date.UTC(2026, 1, 15) }
const DAYS_BETWEEN = 59

/** Page views of each thirty days. */
export const PAGE_VIEWS = 1_000_000

const SEED = 20260316
/** The same visits with other times: each of these passes has all days, and so has each part of an INSERT. */
const PASSES = 10
const BATCH_EVENTS = 100
/** Few, so that a busy machine refuses none. */
const CONNECTIONS = 16
const SETTLE_MS_MAX = 300_000

/** Sends a million page views of 20,000 visitors through the public port, until all are stored and answered. */
export async function ingestFresh(service: BenchService): Promise<void> {
  const range = FRESH
  const perPass = PAGE_VIEWS / PASSES
  for (let pass = 0; pass < PASSES; pass++) {
    const events = generateVisits(new Prng(SEED), { count: perPass, ...range })
    const bodies = chunk(events.map(toPageView(range, pass)), BATCH_EVENTS).map((part) =>
      writeBatch(part, 'json'),
    )
    await sendLoad({
      url: service.url,
      target: batchCreate(service.publicKey),
      connections: CONNECTIONS,
      requests: bodies.length,
      nextBody: createFreshBodies(bodies, { firstCount: pass * perPass }),
      userAgents: AGENTS.map(({ userAgent }) => userAgent),
    })
  }
  await untilSettled(service.store, PAGE_VIEWS, SETTLE_MS_MAX)
  strictEqual(sumPoints(await service.query(totalByDay(range, 'page_view'))), PAGE_VIEWS)
}

/** Copies {@link FRESH} to {@link MERGED}, and merges it. */
export async function copyMerged(service: BenchService): Promise<void> {
  const { clickhouse } = service.store
  await clickhouse.command({
    query: `INSERT INTO events SELECT * REPLACE (time - toIntervalDay(${DAYS_BETWEEN}) AS time) FROM events`,
  })
  for (const id of ['202601', '202602'])
    await clickhouse.command({ query: `OPTIMIZE TABLE events PARTITION ID '${id}' FINAL` })
  strictEqual(sumPoints(await service.query(totalByDay(MERGED, 'page_view'))), PAGE_VIEWS)
}

/** Times differ by pass, and stay in the range. */
function toPageView({ fromMs, toMs }: Range, pass: number): (event: VisitEvent) => object {
  const shiftMs = pass * 137_001
  return (event) => {
    const timeMs = fromMs + ((event.timeMs - fromMs + shiftMs) % (toMs - fromMs))
    const sent = OWN_FORMS.browser({ ...event, kind: 'page_view', timeMs })
    const [country = ''] = PLACES.find(([, language]) => language === event.language) ?? []
    const { autoProperties = {} } = sent as { readonly autoProperties?: object }
    return { ...sent, autoProperties: { ...autoProperties, $country: { stringValue: country } } }
  }
}

const SPECS: Readonly<Record<string, JsonObject>> = {
  'page views by day': trends('TOTAL'),
  'users by day': trends('UNIQUE_USERS'),
  pages: ranking('$pathname'),
  referrers: ranking('$referrerDomain'),
  browsers: ranking('$browser'),
  countries: ranking('$country'),
}

/** What an overview asks about page views, by name. */
export const QUESTIONS = Object.keys(SPECS)

/** The request of a question. */
export function questionOf(name: string, { fromMs, toMs }: Range): QueryRequest {
  return fromJson(QueryRequestSchema, {
    spec: SPECS[name] ?? {},
    timeRange: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() },
    granularity: 'GRANULARITY_DAY',
  })
}

function trends(aggregation: string): JsonObject {
  const event = { event: { kind: 'page_view' }, aggregation: `AGGREGATION_TYPE_${aggregation}` }
  return { insightType: 'INSIGHT_TYPE_TRENDS', events: [event] }
}

function ranking(property: string): JsonObject {
  const topK = { dimension: 'DIMENSION_PROPERTY', property, scope: { kind: 'page_view' } }
  return { insightType: 'INSIGHT_TYPE_TOP_K', topK }
}
