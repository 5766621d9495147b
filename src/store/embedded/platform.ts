import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { glibcVersion } from '../../kernel/machine.ts'

/** The facts of a machine that decide whether the embedded engine can run on it. */
export type MachineFacts = {
  readonly platform: string
  readonly arch: string
  /** Version of glibc, or undefined with another C library (musl) or system. */
  readonly glibcVersion: string | undefined
  /** CPU flags from /proc/cpuinfo; undefined where the system does not provide them. */
  readonly cpuFlags: ReadonlySet<string> | undefined
}

/** The path of the engine's library, or one line with what is missing and the remedy. */
export type LibraryLookup =
  | { readonly ok: true; readonly libraryPath: string }
  | { readonly ok: false; readonly message: string }

const PACKAGES: ReadonlyMap<string, string> = new Map([
  ['linux-x64', '@chdb/lib-linux-x64-gnu'],
  ['linux-arm64', '@chdb/lib-linux-arm64-gnu'],
  ['darwin-arm64', '@chdb/lib-darwin-arm64'],
  ['darwin-x64', '@chdb/lib-darwin-x64'],
])

// The x86-64 library is compiled for x86-64-v3 plus PCLMULQDQ throughout (cmake/cpu_features.cmake of
// chdb-io/chdb-core), without a check of its own: an older CPU dies of SIGILL. `abm` is LZCNT.
const X64_FLAGS = [
  'popcnt',
  'sse4_2',
  'avx',
  'avx2',
  'bmi1',
  'bmi2',
  'f16c',
  'fma',
  'abm',
  'movbe',
  'pclmulqdq',
] as const

const REMEDY = 'set SERVICE_CLICKHOUSE_URL to a ClickHouse server instead'

/**
 * Decides whether a machine can run the embedded engine, and locates its library. `resolvePackage` returns the folder
 * of an installed package, or undefined.
 */
export function locateLibrary(
  machine: MachineFacts,
  resolvePackage: (name: string) => string | undefined,
): LibraryLookup {
  const name = PACKAGES.get(`${machine.platform}-${machine.arch}`)
  if (name === undefined) {
    return refuse(`embedded ClickHouse does not exist for ${machine.platform}-${machine.arch}: ${REMEDY}`)
  }
  if (machine.platform === 'linux' && machine.glibcVersion === undefined) {
    return refuse(`embedded ClickHouse needs glibc, and this system has another C library: ${REMEDY}`)
  }
  const missing = missingFlags(machine)
  if (missing.length > 0) {
    return refuse(
      `embedded ClickHouse needs an x86-64-v3 CPU, this one lacks ${missing.join(', ')}: ${REMEDY}`,
    )
  }
  const folder = resolvePackage(name)
  if (folder === undefined) {
    return refuse(`package ${name} is not installed: add it with "npm install ${name}", or ${REMEDY}`)
  }
  return { ok: true, libraryPath: join(folder, 'libchdb.so') }
}

/** `locateLibrary` with the facts of this machine and the packages installed here. */
export function locateLibraryHere(): LibraryLookup {
  return locateLibrary(readMachineFacts(), resolveInstalled)
}

/** The flags of the first CPU in the text of /proc/cpuinfo; undefined when it has no such line. */
export function parseCpuFlags(cpuinfo: string): ReadonlySet<string> | undefined {
  const line = /^flags\s*:\s*(.*)$/m.exec(cpuinfo)
  return line?.[1] === undefined ? undefined : new Set(line[1].split(' '))
}

function missingFlags(machine: MachineFacts): readonly string[] {
  const { arch, cpuFlags } = machine
  if (arch !== 'x64' || cpuFlags === undefined) return []
  return X64_FLAGS.filter((flag) => !cpuFlags.has(flag))
}

function refuse(message: string): LibraryLookup {
  return { ok: false, message }
}

/** The facts of this machine. */
function readMachineFacts(): MachineFacts {
  const linux = process.platform === 'linux'
  return {
    platform: process.platform,
    arch: process.arch,
    glibcVersion: glibcVersion(),
    cpuFlags: linux ? parseCpuFlags(readFileSync('/proc/cpuinfo', 'utf8')) : undefined,
  }
}

function resolveInstalled(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}
