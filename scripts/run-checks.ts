import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SLOW } from '../test/harness/fast-suite.ts'
import { type Failure, filesToRerun, mergeReports, readTestReport, type TestReport } from './test-report.ts'

/*
 * `npm test` and `npm run test:all`: lint, types and tests side by side. Options that follow `--` go to Vitest. The last line
 * is `N passed, N failed, N skipped`; a failed check that is no test counts as one failure.
 */

interface Check {
  readonly name: string
  readonly command: readonly string[]
  /** Settings on top of the environment. */
  readonly environment?: Readonly<Record<string, string>>
}

interface Outcome {
  readonly name: string
  readonly hasPassed: boolean
  readonly seconds: number
}

/** The most failures that are listed once more at the end, below the output of the tests. */
const LISTED_MAX = 50
const ROOT = resolve(import.meta.dirname, '..')
const STATIC: readonly Check[] = [
  { name: 'lint', command: ['npm', 'run', '-s', 'lint'] },
  { name: 'types', command: ['npm', 'run', '-s', 'typecheck'] },
]

const { positionals } = parseArgs({ allowPositionals: true, strict: false })
const isAll = positionals[0] === 'all'
const options = process.argv.slice(3)
const config = isAll ? 'vitest.config.ts' : 'vitest.fast.config.ts'
const folder = mkdtempSync(join(tmpdir(), 'checks-'))

const [statics, { report, outcome: tests }] = await Promise.all([runInOrder(STATIC), runTests()])
rmSync(folder, { recursive: true })
const outcomes = [...statics, tests]
for (const { file, title } of report?.failures.slice(0, LISTED_MAX) ?? []) write(`FAILED  ${file} ${title}`)
const hasMutations = isAll && process.env.TEST_MUTATIONS !== 'off'
if (hasMutations) {
  const words = tests.hasPassed ? ['--', '--after-suite'] : []
  outcomes.push(
    await run({ name: 'mutations', command: ['npm', 'run', '-s', 'mutations', ...words] }, 'shown'),
  )
}
for (const { name, hasPassed, seconds } of outcomes) {
  write(`${hasPassed ? 'passed' : 'FAILED'}  ${name} (${Math.round(seconds)} s)`)
}
if (isAll && !hasMutations) write('not run  mutations: npm run mutations')
if (!isAll) write(`not run  ${SLOW.length} groups of slow tests: npm run test:all`)
const others = outcomes.filter((outcome) => outcome !== tests && !outcome.hasPassed).length
const failed = (report?.failures.length ?? 0) + others
const hasPassed = outcomes.every((outcome) => outcome.hasPassed)
write(
  `${report?.passed ?? 0} passed, ${hasPassed ? 0 : Math.max(failed, 1)} failed, ${report?.skipped ?? 0} skipped`,
)
process.exit(hasPassed ? 0 : 1)

/** Runs the tests, and failed files once more without others beside them; lists each test that passes only then. */
async function runTests(): Promise<{ readonly report: TestReport | undefined; readonly outcome: Outcome }> {
  const first = await runVitest(options)
  const files = first.report === undefined ? [] : filesToRerun(first.report)
  if (first.report === undefined || files.length === 0) return first
  write(`runs again, alone: ${files.join(' ')}`)
  const again = await runVitest(files)
  if (again.report === undefined) return first
  const report = mergeReports(first.report, again.report)
  const isSame = (one: Failure) => (other: Failure) => one.file === other.file && one.title === other.title
  for (const failure of first.report.failures) {
    if (report.failures.some(isSame(failure))) continue
    write(`UNSTABLE  ${failure.file} ${failure.title}: failed, then passed alone`)
  }
  const seconds = first.outcome.seconds + again.outcome.seconds
  return { report, outcome: { ...again.outcome, seconds } }
}

async function runVitest(
  words: readonly string[],
): Promise<{ readonly report: TestReport | undefined; readonly outcome: Outcome }> {
  const path = join(folder, `${crypto.randomUUID()}.json`)
  writeFileSync(path, '')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
  const outcome = await run(
    {
      name: 'tests',
      command: ['npx', 'vitest', 'run', '--config', config, ...reporters, ...words],
      // In the whole run a test whose program is not installed fails; see `hasSystemTool`.
      ...(isAll ? { environment: { CI: 'true' } } : {}),
    },
    'shown',
  )
  return { report: readTestReport(path, ROOT), outcome }
}

async function runInOrder(checks: readonly Check[]): Promise<readonly Outcome[]> {
  const done: Outcome[] = []
  for (const check of checks) done.push(await run(check, 'held'))
  return done
}

/** Runs a command. Held output is written at the end, and only when the command failed. */
async function run({ name, command, environment }: Check, output: 'held' | 'shown'): Promise<Outcome> {
  const startedMs = performance.now()
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    env: { ...process.env, ...environment },
    stdio: output === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  const pieces: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => pieces.push(piece))
  const [code] = await once(child, 'close')
  if (code !== 0) process.stderr.write(Buffer.concat(pieces))
  return { name, hasPassed: code === 0, seconds: (performance.now() - startedMs) / 1000 }
}

function write(line: string): void {
  process.stdout.write(`${line}\n`)
}
