import { parseArgs } from 'node:util'
import type { BenchCase } from './case.ts'
import { CASES } from './cases.ts'
import { CompareError, compareVersions } from './compare.ts'
import { runLoad } from './load/run-load.ts'
import { describeMachine, measureMachine } from './rig/machine.ts'
import { runCase } from './run-case.ts'
import { type Summary, summarise } from './summary.ts'
import { renderComparisons, renderTable } from './table.ts'

/** The options of the command line. */
interface Command {
  /** The other version of a comparison. */
  readonly commit: string | undefined
  readonly cases: readonly BenchCase[]
  /** Undefined: each case's own number. */
  readonly rounds: number | undefined
  readonly output: 'table' | 'json' | 'list'
}

const USAGE =
  'usage: npm run bench -- [pattern] [--rounds N] [--json] | --list | compare COMMIT [pattern] [--rounds N] [--json] | load ...'
const ROUNDS_MAX = 1000

/** A command line that cannot be followed; the message is one line. */
class UsageError extends Error {}

await main()

async function main(): Promise<void> {
  try {
    const [first, ...rest] = process.argv.slice(2)
    process.exitCode = first === 'load' ? await runLoad(rest) : await follow(parseCommand())
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof CompareError)) throw error
    process.stderr.write(`bench: ${error.message}\n`)
    process.exitCode = 1
  }
}

async function follow(command: Command): Promise<number> {
  const { commit, cases, rounds, output } = command
  if (output === 'list') {
    process.stdout.write(cases.map(({ name }) => `${name}\n`).join(''))
    return 0
  }
  if (commit === undefined) return await measureCases(command)
  const comparisons = await compareVersions(commit, cases, rounds)
  await report(comparisons, renderComparisons, output)
  return 0
}

/** The table ends with the machine; what reads JSON gets it apart. */
async function report<Result>(
  results: readonly Result[],
  render: (results: readonly Result[]) => string,
  output: Command['output'],
): Promise<void> {
  const machine = `${describeMachine(await measureMachine())}\n`
  if (output === 'json') {
    process.stderr.write(machine)
    process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
  } else process.stdout.write(render(results) + machine)
}

async function measureCases({ cases, rounds, output }: Command): Promise<number> {
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
  await report(summaries, renderTable, output)
  return failures === 0 ? 0 : 1
}

function parseCommand(): Command {
  const { values, positionals } = parseWords()
  const [commit, ...words] = positionals[0] === 'compare' ? positionals.slice(1) : [undefined, ...positionals]
  if (positionals[0] === 'compare' && commit === undefined)
    throw new UsageError(`compare needs a commit; ${USAGE}`)
  const [pattern = '', surplus] = words
  if (surplus !== undefined) throw new UsageError(`one pattern at most; ${USAGE}`)
  const output = values.list ? 'list' : values.json ? 'json' : 'table'
  return { commit, cases: selectCases(pattern), rounds: parseRounds(values.rounds), output }
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
