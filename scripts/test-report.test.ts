import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Failure, filesToRerun, mergeReports, readTestReport } from './test-report.ts'

const failure = (file: string, message = 'expected 200 to be 429'): Failure => ({
  file,
  title: 'a test',
  message,
})
const report = (...failures: readonly Failure[]): Parameters<typeof filesToRerun>[0] => ({
  passed: 10,
  skipped: 1,
  failures,
})

test('a report lists failed tests, and files that failed outside their tests', () => {
  const path = join(tmpdir(), `report-${crypto.randomUUID()}.json`)
  const assertionResults = [
    { fullName: 'one', status: 'passed' },
    { fullName: 'two', status: 'failed', failureMessages: ['first', 'second'] },
  ]
  const testResults = [
    { name: '/repository/src/a.test.ts', status: 'failed', message: '', assertionResults },
    { name: '/repository/src/b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    { name: '/repository/src/c.test.ts', status: 'passed', message: '', assertionResults: [] },
  ]
  writeFileSync(path, JSON.stringify({ numPassedTests: 1, numPendingTests: 0, testResults }))
  expect(readTestReport(path, '/repository')).toEqual({
    passed: 1,
    skipped: 0,
    failures: [
      { file: 'src/a.test.ts', title: 'two', message: 'first\nsecond' },
      { file: 'src/b.test.ts', title: '', message: 'no such module' },
    ],
  })
  writeFileSync(path, '')
  expect(readTestReport(path, '/repository')).toBeUndefined()
})

test('up to three files run again, each once', () => {
  expect(filesToRerun(report())).toEqual([])
  expect(filesToRerun(report(failure('a'), failure('b'), failure('a'), failure('c')))).toEqual([
    'a',
    'b',
    'c',
  ])
  expect(filesToRerun(report(failure('a'), failure('b'), failure('c'), failure('d')))).toEqual([])
})

test.each(['Error: Property failed after 3 tests', 'seed 17, case 3'])(
  'no file runs again after a search found a failure: %s',
  (message) => {
    expect(filesToRerun(report(failure('a'), failure('b', message)))).toEqual([])
  },
)

test('only what fails again has failed', () => {
  const first = report(failure('a'), failure('b'))
  expect(mergeReports(first, { passed: 4, skipped: 0, failures: [failure('b')] })).toEqual({
    passed: 11,
    skipped: 1,
    failures: [failure('b')],
  })
})
