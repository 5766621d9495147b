import { parseArgs } from 'node:util'
import { Teardown } from '../teardown.ts'
import { askQuestion, compareFinal, compareMerges } from './ask-questions.ts'
import type { InsightQuestion } from './question.ts'
import { QUESTIONS } from './questions/questions.ts'
import type { InsightsReport } from './report.ts'
import { renderReport } from './table.ts'
import { openWorld, type WorldOptions } from './world/world.ts'

/** What the command line asks for. */
interface Command {
  readonly questions: readonly InsightQuestion[]
  readonly rounds: number
  readonly output: 'table' | 'json'
  readonly world: Omit<WorldOptions, 'onProgress'>
}

const USAGE =
  'usage: npm run bench:insights -- [pattern] [--data folder] [--events N] [--rounds N] [--threads N] [--json]'

const PROJECT = 1

/** Questions about the same users, whose cost depends on who they are. */
const USER_QUESTIONS: ReadonlySet<string> = new Set([
  'segmentation/users',
  'trends/users',
  'funnel/purchase',
  'retention/by-day',
])

/** A question that reads little but the sorting key, and one that reads users. */
const FINAL_QUESTIONS: ReadonlySet<string> = new Set([
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

async function measure({ questions, rounds, world: options }: Command): Promise<InsightsReport> {
  const world = await openWorld({ ...options, onProgress: progress }, teardown)
  await world.become('members')
  const report = []
  for (const question of questions) {
    progress(question.name)
    report.push(await askQuestion(world, question, { rounds }))
  }
  const conditions = []
  for (const question of questions.filter(({ name }) => FINAL_QUESTIONS.has(name))) {
    progress(`${question.name} without FINAL`)
    conditions.push(await compareFinal(world, question, { rounds }))
  }
  progress('merged users')
  const ofUsers = questions.filter(({ name }) => USER_QUESTIONS.has(name))
  if (ofUsers.length > 0) conditions.push(...(await compareMerges(world, ofUsers, { rounds })))
  return { events: options.plan.events, threads: options.threads, rounds, questions: report, conditions }
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
  const questions = QUESTIONS.filter(({ name }) => pattern.test(name))
  if (questions.length === 0) throw new Error(`no question matches ${pattern.source}; ${USAGE}`)
  return {
    questions,
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
