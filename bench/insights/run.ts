import { parseArgs } from 'node:util'
import { measureFold } from '../rig/fold-visits.ts'
import { Teardown } from '../teardown.ts'
import type { BenchmarkQuery } from './benchmark-query.ts'
import { compareCohort, compareFinal, compareMerges, measureQuery } from './measure-queries.ts'
import { QUERIES } from './queries/queries.ts'
import type { InsightsReport } from './report.ts'
import { renderReport } from './table.ts'
import { openWorld, type WorldOptions } from './world/world.ts'

/** The options of the command line. */
interface Command {
  readonly queries: readonly BenchmarkQuery[]
  readonly rounds: number
  readonly output: 'table' | 'json'
  readonly world: Omit<WorldOptions, 'onProgress'>
}

const USAGE =
  'usage: npm run bench:insights -- [pattern] [--data folder] [--events N] [--rounds N] [--threads N] [--json]'

const PROJECT = 1

/** Queries about the same users, whose cost depends on merged ids. */
const USER_QUERIES: ReadonlySet<string> = new Set([
  'segmentation/users',
  'trends/users',
  'funnel/purchase',
  'retention/by-day',
])

/** Queries that read little but the sorting key, and queries that read users. */
const FINAL_QUERIES: ReadonlySet<string> = new Set([
  'trends/total',
  'trends/users',
  'trends/users-last-week',
  'funnel/purchase',
])

const teardown = new Teardown()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())

if (process.argv.includes('--help')) {
  process.stdout.write(`${USAGE}\n`)
  process.exit()
}

try {
  const command = parseCommand()
  const report = await measure(command)
  process.stdout.write(
    command.output === 'json' ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report),
  )
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await teardown.run()
}

async function measure({ queries, rounds, world: options }: Command): Promise<InsightsReport> {
  const world = await openWorld({ ...options, onProgress: progress }, teardown)
  await world.become('members')
  progress(await measureFold(world))
  const report = []
  for (const query of queries) {
    progress(query.name)
    report.push(await measureQuery(world, query, { rounds }))
  }
  const conditions = []
  for (const query of queries.filter(({ name }) => FINAL_QUERIES.has(name))) {
    progress(`${query.name} without FINAL`)
    conditions.push(await compareFinal(world, query, { rounds }))
  }
  for (const query of queries) {
    if (!query.apart) continue
    progress(`${query.name} without its cohort`)
    conditions.push(await compareCohort(world, query, { apart: query.apart, rounds }))
  }
  progress('merged users')
  const ofUsers = queries.filter(({ name }) => USER_QUERIES.has(name))
  if (ofUsers.length > 0) conditions.push(...(await compareMerges(world, ofUsers, { rounds })))
  return { events: options.plan.events, threads: options.threads, rounds, queries: report, conditions }
}

function parseCommand(): Command {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      events: { type: 'string', default: '20000000' },
      rounds: { type: 'string', default: '5' },
      threads: { type: 'string', default: '2' },
      json: { type: 'boolean', default: false },
    },
  })
  const pattern = new RegExp(positionals[0] ?? '')
  const queries = QUERIES.filter(({ name }) => pattern.test(name))
  if (queries.length === 0) throw new Error(`no query matches ${pattern.source}; ${USAGE}`)
  return {
    queries,
    rounds: parseNumber('rounds', values.rounds),
    output: values.json ? 'json' : 'table',
    world: {
      plan: { events: parseNumber('events', values.events), project: PROJECT },
      folder: values.data,
      threads: parseNumber('threads', values.threads),
    },
  }
}

function parseNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new Error(`--${name} takes a number from 1; ${USAGE}`)
  return Number(text)
}

function progress(line: string): void {
  process.stderr.write(`${line} ...\n`)
}

async function stop(): Promise<void> {
  await teardown.run()
  process.exit(1)
}
