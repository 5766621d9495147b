import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** A failed test, or a test file that failed outside its tests. */
export interface Failure {
  /** Relative to the root of the repository. */
  readonly file: string
  /** Full title of the test; empty for a file. */
  readonly title: string
  /** Errors with their stacks. */
  readonly message: string
}

/** Outcome of one run of Vitest. */
export interface TestReport {
  readonly passed: number
  readonly skipped: number
  readonly failures: readonly Failure[]
}

/** The parts of Vitest's JSON report that count. */
interface VitestReport {
  readonly numPassedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** Files that may run again: more failures have a common cause, which no second run removes. */
const RERUN_FILES_MAX = 3

/** Random searches print their seed with what they find. */
const FOUND_BY_SEARCH = /\bseed\b|Property failed/i

/** Reads Vitest's JSON report at `path`; `undefined` when Vitest ended before it wrote one. */
export function readTestReport(path: string, root: string): TestReport | undefined {
  const text = readFileSync(path, 'utf8')
  if (text === '') return undefined
  const { numPassedTests, numPendingTests, testResults } = JSON.parse(text) as VitestReport
  const failures = testResults.flatMap(({ name, status, message, assertionResults }): readonly Failure[] => {
    const file = relative(root, name)
    const failed = assertionResults.filter((result) => result.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [{ file, title: '', message }]
    return failed.map(({ fullName, failureMessages = [] }) => ({
      file,
      title: fullName,
      message: failureMessages.join('\n'),
    }))
  })
  return { passed: numPassedTests, skipped: numPendingTests, failures }
}

/**
 * The files to run a second time, without others beside them: a test may have failed because the machine was busy. None when
 * many files failed, or when a random search found a failure, which another seed would hide.
 */
export function filesToRerun({ failures }: TestReport): readonly string[] {
  const files = [...new Set(failures.map(({ file }) => file))]
  if (files.length > RERUN_FILES_MAX) return []
  return failures.some(({ message }) => FOUND_BY_SEARCH.test(message)) ? [] : files
}

/** The report of a run in which `again` has the results of the files that ran a second time. */
export function mergeReports(first: TestReport, again: TestReport): TestReport {
  return {
    passed: first.passed + first.failures.length - again.failures.length,
    skipped: first.skipped,
    failures: again.failures,
  }
}
