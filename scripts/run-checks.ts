import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { SLOW } from '../test/harness/fast-suite.ts'

/*
 * `npm test` and `npm run test:all`: lint, types and tests side by side. Options that follow `--` go to Vitest.
 */

interface Check {
  readonly name: string
  readonly command: readonly string[]
  /** Settings on top of the environment. */
  readonly environment?: Readonly<Record<string, string>>
}

interface Outcome {
  readonly check: Check
  readonly code: number
  readonly seconds: number
}

const STATIC: readonly Check[] = [
  { name: 'lint', command: ['npm', 'run', '-s', 'lint'] },
  { name: 'types', command: ['npm', 'run', '-s', 'typecheck'] },
]

const { positionals } = parseArgs({ allowPositionals: true, strict: false })
const isAll = positionals[0] === 'all'
const options = process.argv.slice(3)
const config = isAll ? 'vitest.config.ts' : 'vitest.fast.config.ts'

/** In the whole run a test whose program is not installed fails; see `hasSystemTool`. */
const tests: Check = {
  name: 'tests',
  command: ['npx', 'vitest', 'run', '--config', config, ...options],
  ...(isAll ? { environment: { CI: 'true' } } : {}),
}

const outcomes = await Promise.all([runInOrder(STATIC, 'held'), run(tests, 'shown')])
const flat = outcomes.flat()
const hasMutations = isAll && process.env.TEST_MUTATIONS !== 'off'
if (hasMutations) {
  const hasPassed = flat.some(({ check, code }) => check === tests && code === 0)
  const words = hasPassed ? ['--', '--after-suite'] : []
  flat.push(await run({ name: 'mutations', command: ['npm', 'run', '-s', 'mutations', ...words] }, 'shown'))
}
for (const { check, code, seconds } of flat) {
  write(`${code === 0 ? 'passed' : 'FAILED'}  ${check.name} (${Math.round(seconds)} s)`)
}
if (isAll && !hasMutations) write('not run  mutations: npm run mutations')
if (!isAll) write(`not run  ${SLOW.length} groups of slow tests: npm run test:all`)
process.exit(flat.every(({ code }) => code === 0) ? 0 : 1)

async function runInOrder(checks: readonly Check[], output: 'held'): Promise<readonly Outcome[]> {
  const done: Outcome[] = []
  for (const check of checks) done.push(await run(check, output))
  return done
}

/** Runs a command. Held output is written at the end, and only when the command failed. */
async function run(check: Check, output: 'held' | 'shown'): Promise<Outcome> {
  const startedMs = performance.now()
  const [program = '', ...words] = check.command
  const child = spawn(program, words, {
    env: { ...process.env, ...check.environment },
    stdio: output === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  const pieces: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => pieces.push(piece))
  const [code] = await once(child, 'close')
  if (code !== 0) process.stderr.write(Buffer.concat(pieces))
  return { check, code: code ?? 1, seconds: (performance.now() - startedMs) / 1000 }
}

function write(line: string): void {
  process.stdout.write(`${line}\n`)
}
