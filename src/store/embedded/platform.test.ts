import { describe, expect, test } from 'vitest'
import { locateLibrary, locateLibraryHere, type MachineFacts, parseCpuFlags } from './platform.ts'

const X64_V3 = 'fpu popcnt sse4_2 avx avx2 bmi1 bmi2 f16c fma abm movbe pclmulqdq'

const goodMachine: MachineFacts = {
  platform: 'linux',
  arch: 'x64',
  glibcVersion: '2.36',
  cpuFlags: new Set(X64_V3.split(' ')),
}

function withoutFlag(flag: string): ReadonlySet<string> {
  return new Set(X64_V3.split(' ').filter((one) => one !== flag))
}

const installed = (name: string) => `/packages/${name}`
const missing = () => undefined

describe('a machine that can run the engine', () => {
  const cases: readonly [string, Partial<MachineFacts>, string][] = [
    ['Linux x64', {}, '/packages/@chdb/lib-linux-x64-gnu/libchdb.so'],
    ['Linux arm64', { arch: 'arm64', cpuFlags: undefined }, '/packages/@chdb/lib-linux-arm64-gnu/libchdb.so'],
    [
      'macOS arm64',
      { platform: 'darwin', arch: 'arm64', glibcVersion: undefined, cpuFlags: undefined },
      '/packages/@chdb/lib-darwin-arm64/libchdb.so',
    ],
    [
      'macOS x64',
      { platform: 'darwin', glibcVersion: undefined, cpuFlags: undefined },
      '/packages/@chdb/lib-darwin-x64/libchdb.so',
    ],
  ]
  test.each(cases)('%s gets the library of its package', (_, facts, libraryPath) => {
    expect(locateLibrary({ ...goodMachine, ...facts }, installed)).toEqual({ ok: true, libraryPath })
  })
})

describe('a machine that cannot run the engine', () => {
  const cases: readonly [string, Partial<MachineFacts>, string][] = [
    ['Windows', { platform: 'win32' }, 'win32-x64'],
    ['32-bit ARM', { arch: 'arm' }, 'linux-arm'],
    ['musl', { glibcVersion: undefined }, 'glibc'],
    ['a CPU without AVX2', { cpuFlags: withoutFlag('avx2') }, 'lacks avx2'],
    ['a CPU without BMI2', { cpuFlags: withoutFlag('bmi2') }, 'lacks bmi2'],
    ['an x86-64-v2 CPU', { cpuFlags: new Set(['sse4_2', 'popcnt']) }, 'lacks avx, avx2'],
  ]
  test.each(cases)('%s gets a message with the missing part and the remedy', (_, facts, named) => {
    const lookup = locateLibrary({ ...goodMachine, ...facts }, installed)
    const message = lookup.ok ? '' : lookup.message
    expect(message).toContain(named)
    expect(message).toContain('SERVICE_CLICKHOUSE_URL')
    expect(message).not.toContain('\n')
  })
})

test('the message for a missing package has the command that installs it', () => {
  const lookup = locateLibrary(goodMachine, missing)
  expect(lookup.ok ? '' : lookup.message).toContain('npm install @chdb/lib-linux-x64-gnu')
})

test('the flags of the first CPU are read from cpuinfo', () => {
  const text = 'processor\t: 0\nflags\t\t: fpu avx2\nbugs\t\t:\n\nprocessor\t: 1\nflags\t\t: fpu\n'
  expect(parseCpuFlags(text)).toEqual(new Set(['fpu', 'avx2']))
  expect(parseCpuFlags('Features\t: asimd\n')).toBeUndefined()
})

test('this machine can load the library', () => {
  expect(locateLibraryHere()).toMatchObject({ ok: true })
})
