import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { findPath, type Mutation, plant, type SourceText } from './plant.ts'
import { copyWorkTree, readSources, type WorkingCopy } from './working-copy.ts'

/** Milliseconds that the tests of one mutation may take. */
const RUN_MS_MAX = 90_000

/**
 * How a mutation ended: `stale` when the code of its row is gone, `broken` when the mutated code does not load, so that no
 * test had to notice it, `stuck` when its tests do not end in time: a loop of theirs needs a bound.
 */
export interface Verdict {
  readonly outcome: 'killed' | 'survived' | 'broken' | 'stale' | 'stuck'
  /** The file that was mutated. */
  readonly path: string
  /** The test that failed, or the error. */
  readonly detail: string
}

/** A copy of the work tree with a test runner of its own. It does one thing at a time. */
export class Lane {
  readonly #vitest: Vitest
  readonly #copy: WorkingCopy
  readonly #sources = readSources()

  private constructor(vitest: Vitest, copy: WorkingCopy) {
    this.#vitest = vitest
    this.#copy = copy
  }

  /** Copies the work tree and starts the runner. */
  static async open(): Promise<Lane> {
    const copy = copyWorkTree()
    // One failed test is enough: the others of its file would only take time.
    const options = { root: copy.root, watch: false, project: 'one-machine', bail: 1 }
    // A thread of its own for each file, so that no file leaves anything to another.
    const workers = { pool: 'threads', maxWorkers: 1, isolate: true } as const
    const vitest = await createVitest(
      { ...options, ...workers, reporters: [{}] },
      { server: { watch: null }, logLevel: 'silent' },
    )
    await vitest.standalone()
    return new Lane(vitest, copy)
  }

  /** Runs a test file without any mutation. Throws when it fails, as it would then notice everything. */
  async check(file: string): Promise<void> {
    const failed = (await this.#run([file])).find((module) => !module.ok())
    if (failed) throw new Error(`${file} fails without a mutation: ${describeFailure(failed)}`)
  }

  /** Plants a mutation, runs its tests and takes it out again. */
  async judge(mutation: Mutation): Promise<Verdict> {
    const planted = tryPlant(this.#sources, mutation)
    if (planted instanceof Error) return { outcome: 'stale', path: '-', detail: planted.message }
    const { path, text } = planted
    this.#write(path, text)
    try {
      const modules = await this.#runInTime(mutation.tests)
      if (modules === 'timed out') return { outcome: 'stuck', path, detail: mutation.tests.join(', ') }
      const broken = modules.find((module) => module.errors().length > 0)
      if (broken) return { outcome: 'broken', path, detail: describeFailure(broken) }
      const failed = modules.find((module) => !module.ok())
      if (failed) return { outcome: 'killed', path, detail: describeFailure(failed) }
      return { outcome: 'survived', path, detail: mutation.tests.join(', ') }
    } finally {
      this.#write(path, this.#sources.find((source) => source.path === path)?.text ?? '')
    }
  }

  /** Stops the runner and removes the copy. */
  async close(): Promise<void> {
    await this.#vitest.close()
    this.#copy.remove()
  }

  #write(path: string, text: string): void {
    const copied = join(this.#copy.root, path)
    writeFileSync(copied, text)
    this.#vitest.invalidateFile(copied)
  }

  async #runInTime(files: readonly string[]): Promise<readonly TestModule[] | 'timed out'> {
    const timer = new AbortController()
    try {
      return await Promise.race([
        this.#run(files),
        sleep(RUN_MS_MAX, 'timed out' as const, { signal: timer.signal }),
      ])
    } finally {
      timer.abort()
    }
  }

  async #run(files: readonly string[]): Promise<readonly TestModule[]> {
    const paths = files.map((file) => join(this.#copy.root, findPath(this.#copy.paths, file)))
    const specifications = await this.#vitest.globTestSpecifications(paths)
    if (specifications.length !== paths.length)
      throw new Error(`Vitest does not run all of these: ${paths.join(', ')}`)
    const { testModules } = await this.#vitest.runTestSpecifications(specifications)
    // The runner remembers the files of earlier runs too.
    return testModules.filter(({ moduleId }) => paths.includes(moduleId))
  }
}

function tryPlant(sources: readonly SourceText[], mutation: Mutation): SourceText | Error {
  try {
    return plant(sources, mutation)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function describeFailure(module: TestModule): string {
  for (const test of module.children.allTests('failed')) return test.fullName
  return module.errors()[0]?.message ?? 'its setup fails'
}
