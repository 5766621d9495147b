import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { BATCH_CREATE, makeEvent } from '../harness/events.ts'
import { TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { parseExposition, type ShownMetric, selectable } from './exposition.ts'
import { type Selection, selectionOf } from './promql.ts'

/** Labels that Prometheus adds to every sample it takes, or that every process or histogram has. */
const EVERYWHERE: readonly string[] = ['instance', 'job', 'role', 'le']

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly annotations: Readonly<Record<string, string>>
}

let service: TestService
let shown: ReadonlyMap<string, ShownMetric>
let documented: ReadonlyMap<string, ShownMetric>
let alerts: readonly Alert[]

beforeAll(async () => {
  service = await TestService.start({ SERVICE_RATE_LIMIT_EVENTS_PER_SECOND: '100000' })
  await makeTraffic()
  shown = await scrape()
  documented = readTables(read('docs/metrics.md'))
  const rules = parse(read('deploy/prometheus/alerts.yaml'))
  alerts = rules.groups.flatMap((group: { readonly rules: readonly Alert[] }) => group.rules)
})

afterAll(async () => {
  await service.destroy()
})

async function makeTraffic(): Promise<void> {
  const cookieless = { distinctId: undefined, sessionId: undefined, cookieless: true }
  await service.call(
    BATCH_CREATE,
    { events: [makeEvent(), makeEvent(cookieless)] },
    { 'user-agent': 'Mozilla/5.0' },
  )
  await service.call(BATCH_CREATE, { events: [{}] })
  await service.call('sdk.profiles.v1.ProfilesSDKService/Identify', { distinctId: 'a', externalId: 'b' })
  await waitFor('the rows to be delivered', async () => {
    const text = await readMetrics()
    return /millrace_insert_rows_total\{role="edge"\} 3/.test(text) ? true : undefined
  })
  const explorer = await service.call('shared.activity.v1.ActivityService/GetEventExplorer', {})
  expect(explorer.status).toBe(200)
}

async function readMetrics(): Promise<string> {
  return await (await fetch(`${service.adminUrl}/metrics`)).text()
}

async function scrape(): Promise<ReadonlyMap<string, ShownMetric>> {
  return parseExposition(await readMetrics())
}

function read(path: string): string {
  return readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8')
}

/** The rows of the tables of metrics. */
function readTables(markdown: string): ReadonlyMap<string, ShownMetric> {
  const rows = [...markdown.matchAll(/^\| `(millrace_\w+)` \| (\w+) \| ([^|]*)\| (.*) \|$/gm)]
  return new Map(
    rows.map(([, name = '', type = '', labels = '', help = '']) => [
      name,
      { type, help, labels: new Set(labels.match(/\w+/g)), hasSamples: true },
    ]),
  )
}

/** Mistakes of a selection: names that no process serves, and labels that a metric does not have. */
function findMistakes({ metrics, groupedBy }: Selection): readonly string[] {
  const known = selectable(shown)
  return metrics.flatMap(({ name, labels }) => {
    const metric = known.get(name)
    if (!metric) return [name]
    const of = documented.get(name.replace(/_(bucket|sum|count)$/, ''))?.labels ?? metric.labels
    return [...labels, ...groupedBy]
      .filter((label) => !of.has(label) && !EVERYWHERE.includes(label))
      .map((label) => `${name}{${label}}`)
  })
}

test('every metric of the service is documented as it is, and nothing else', () => {
  const own = [...shown].filter(([name]) => name.startsWith('millrace_'))
  const facts = ([name, { type, help }]: [string, ShownMetric]): string => `${name} ${type} ${help}`
  expect(own.length).toBeGreaterThan(40)
  expect([...documented].map(facts).sort()).toEqual(own.map(facts).sort())
})

test('samples have the labels that are documented', () => {
  const sampled = [...shown].filter(([name, { hasSamples }]) => hasSamples && documented.has(name))
  expect(sampled.length).toBeGreaterThan(40)
  expect(sampled.map(([name, { labels }]) => [name, [...labels].sort()])).toEqual(
    sampled.map(([name]) => [name, [...(documented.get(name)?.labels ?? [])].sort()]),
  )
})

test('names have their unit, and counters end in _total', () => {
  const counters = [...shown].filter(([name, { type }]) => name.startsWith('millrace_') && type === 'counter')
  const others = [...shown].filter(([name, { type }]) => name.startsWith('millrace_') && type !== 'counter')
  expect(counters.map(([name]) => name).filter((name) => !name.endsWith('_total'))).toEqual([])
  expect(others.map(([name]) => name).filter((name) => /_total$|_ms$|_kb$/.test(name))).toEqual([])
  const histograms = others.filter(([, { type }]) => type === 'histogram').map(([name]) => name)
  expect(histograms.filter((name) => !name.endsWith('_seconds'))).toEqual([])
})

test('the dashboard queries existing metrics', () => {
  const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(read('deploy/grafana/millrace.json'))
  const targets = panels.flatMap(({ title, targets: of = [] }) => of.map(({ expr }) => ({ title, expr })))
  expect(targets.length).toBeGreaterThan(40)
  expect(targets.filter(({ expr }) => selectionOf(expr).metrics.length === 0)).toEqual([])
  expect(
    targets.flatMap(({ title, expr }) =>
      findMistakes(selectionOf(expr)).map((wrong) => `${title}: ${wrong}`),
    ),
  ).toEqual([])
})

test('alerts query existing metrics', () => {
  expect(alerts.length).toBeGreaterThan(15)
  expect(alerts.filter(({ expr }) => selectionOf(expr).metrics.length === 0)).toEqual([])
  expect(
    alerts.flatMap(({ alert, expr }) => findMistakes(selectionOf(expr)).map((wrong) => `${alert}: ${wrong}`)),
  ).toEqual([])
})

test('every alert has a summary and a runbook section, and every section has an alert', () => {
  const headings = [...read('docs/operating.md').matchAll(/^### (Millrace\w+)$/gm)].map(([, name]) => name)
  expect(alerts.map(({ alert }) => alert).sort()).toEqual(headings.sort())
  expect(alerts.map(({ annotations }) => annotations.runbook_url)).toEqual(
    alerts.map(({ alert }) => `docs/operating.md#${alert.toLowerCase()}`),
  )
  const incomplete = alerts.filter(({ annotations: { summary, description } }) => !summary || !description)
  expect(incomplete).toEqual([])
})

test('a process that dies is counted', async () => {
  process.kill(service.pid('query'), 'SIGKILL')
  await waitFor('the death to be counted', async () =>
    /millrace_role_restarts_total\{process="query",role="supervisor"\} 1/.test(await readMetrics())
      ? true
      : undefined,
  )
})
