import { parseArgs } from 'node:util'
import type { BenchCase } from './case.ts'
import { CASES } from './cases.ts'
import { runLoad } from './load/run-load.ts'
import { runCase } from './run-case.ts'
import { type Summary, summarise } from './summary.ts'
import { renderTable } from './table.ts'

/** The options of the command line. */
interface Command {
  readonly cases: readonly BenchCase[]
  /** Undefined: each case's own number. */
  readonly rounds: number | undefined
  readonly output: 'table' | 'json' | 'list'
}

const USAGE = 'usage: npm run bench -- [pattern] [--rounds N] [--json] | --list | load ...'
const ROUNDS_MAX = 1000

/** A command line that cannot be followed; the message is one line. */
class UsageError extends Error {}

await main()

async function main(): Promise<void> {
  try {
    const [first, ...rest] = process.argv.slice(2)
    process.exitCode = first === 'load' ? await runLoad(rest) : await follow(parseCommand())
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`bench: ${error.message}\n`)
    process.exitCode = 1
  }
}

async function follow({ cases, rounds, output }: Command): Promise<number> {
  if (output === 'list') {
    process.stdout.write(cases.map(({ name }) => `${name}\n`).join(''))
    return 0
  }
  const summaries: Summary[] = []
  let failures = 0
  for (const benchCase of cases) {
    process.stderr.write(`${benchCase.name} ...\n`)
    try {
      summaries.push(summarise(benchCase, await runCase(benchCase, rounds)))
    } catch (error) {
      failures++
      process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  process.stdout.write(output === 'json' ? `${JSON.stringify(summaries, null, 2)}\n` : renderTable(summaries))
  return failures === 0 ? 0 : 1
}

function parseCommand(): Command {
  const { values, positionals } = parseWords()
  const [pattern = '', surplus] = positionals
  if (surplus !== undefined) throw new UsageError(`one pattern at most; ${USAGE}`)
  const output = values.list ? 'list' : values.json ? 'json' : 'table'
  return { cases: selectCases(pattern), rounds: parseRounds(values.rounds), output }
}

function parseWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { list: { type: 'boolean' }, json: { type: 'boolean' }, rounds: { type: 'string' } },
    })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}; ${USAGE}`)
  }
}

function selectCases(pattern: string): readonly BenchCase[] {
  const expression = parsePattern(pattern)
  const cases = CASES.filter(({ name }) => expression.test(name))
  if (cases.length === 0) throw new UsageError(`no case matches ${pattern}; --list names them all`)
  return cases
}

function parsePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern)
  } catch {
    throw new UsageError(`${pattern} is not a regular expression`)
  }
}

function parseRounds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const rounds = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (rounds < 1 || rounds > ROUNDS_MAX)
    throw new UsageError(`--rounds takes a number from 1 to ${ROUNDS_MAX}`)
  return rounds
}
