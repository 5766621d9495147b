import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchCase, Sample } from './case.ts'
import { runCase } from './run-case.ts'
import { type Summary, summarise } from './summary.ts'
import { Teardown } from './teardown.ts'

/** Both versions of a case. */
export interface Comparison {
  readonly before: Summary
  readonly after: Summary
}

const ROOT = fileURLToPath(import.meta.resolve('..'))

/** Folders of this version that stand in the other one: both versions do the same work. */
const OVERLAID = ['bench', 'test/harness'] as const

/** Each version has so many processes of a case, in turn with those of the other. */
const TURNS = 2

/** A commit that cannot be compared with; the message is one line. */
export class CompareError extends Error {}

/** Runs cases in the sources of a commit and in these, in turn. Calls back with each case as it ends. */
export async function compareVersions(
  commit: string,
  cases: readonly BenchCase[],
  rounds: number | undefined,
): Promise<readonly Comparison[]> {
  const teardown = new Teardown()
  const stop = (): void => void teardown.run().then(() => process.exit(1))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const folder = checkOut(commit, teardown)
    const comparisons: Comparison[] = []
    for (const benchCase of cases) comparisons.push(await compareCase(benchCase, folder, rounds))
    return comparisons
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    await teardown.run()
  }
}

async function compareCase(
  benchCase: BenchCase,
  folder: string,
  rounds: number | undefined,
): Promise<Comparison> {
  const [before, after]: [Sample[], Sample[]] = [[], []]
  for (let turn = 0; turn < TURNS; turn++) {
    process.stderr.write(`${benchCase.name}, turn ${turn + 1} of ${TURNS} ...\n`)
    before.push(...(await runCase(benchCase, rounds, folder)).samples)
    after.push(...(await runCase(benchCase, rounds)).samples)
  }
  return {
    before: summarise(benchCase, { samples: before }),
    after: summarise(benchCase, { samples: after }),
  }
}

/** The sources of a commit in a temporary worktree, with the packages of this one. */
function checkOut(commit: string, teardown: Teardown): string {
  const folder = join(teardown.temporaryFolder(), 'worktree')
  git('worktree', 'add', '--detach', folder, commit)
  teardown.defer(async () => {
    git('worktree', 'remove', '--force', folder)
  })
  for (const name of OVERLAID) {
    rmSync(join(folder, name), { recursive: true, force: true })
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

function git(...words: readonly string[]): void {
  try {
    execFileSync('git', words, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string }
    throw new CompareError(`git ${words.slice(0, 2).join(' ')}: ${stderr.trim().split('\n').at(-1)}`)
  }
}
