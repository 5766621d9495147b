import { openSync } from 'node:fs'
import { DataType, load, open } from 'ffi-rs'
import { lockFile } from '../../kernel/libc.ts'
import { trimMemoryWhenQuiet } from '../../kernel/memory/trim-memory.ts'
import { type EngineProcessInput, EXIT_LOCKED, EXIT_NO_LIBRARY } from './child-input.ts'
import { confineThreads } from './sandbox.ts'

const ENGINE = 'engine'
const PROGRESS_EVERY_US = 3_600_000_000
const SYSTEM_PATHS = [
  '/proc/self',
  '/proc/meminfo',
  '/proc/cpuinfo',
  '/proc/stat',
  '/proc/loadavg',
  '/sys/fs/cgroup',
  '/sys/devices/system/cpu',
  '/dev/urandom',
  '/dev/null',
  '/etc/localtime',
  '/etc/hosts',
  '/usr/share/zoneinfo',
  '/usr/lib',
  '/lib',
  '/lib64',
]
const NOT_CONFINED =
  'this kernel has no Landlock: the SQL function file() can read every file that this user can read'

try {
  await main(JSON.parse(process.argv[2] ?? '{}') as EngineProcessInput)
} catch (error) {
  // One line, because the parent quotes it.
  process.stderr.write(`${String(error)}\n`)
  process.exit(EXIT_NO_LIBRARY)
}

async function main(input: EngineProcessInput): Promise<void> {
  process.title = 'millrace-store'
  ignoreSignals()
  if (!lockFolder(input.lockPath)) process.exit(EXIT_LOCKED)
  open({ library: ENGINE, path: input.libraryPath })
  await trimMemoryWhenQuiet()
  await confine(input)
  await serveUntilStdinCloses(input)
  process.exit(0)
}

// A signal to the whole process group or service must not end the engine before its parent has drained: only
// the end of stdin does.
function ignoreSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
}

// The engine locks its folder too, but only after it has cleared the temporary files of the one that owns it.
// The lock lasts as long as this process: the descriptor is never closed.
function lockFolder(path: string): boolean {
  return lockFile(openSync(path, 'a', 0o600)) === 'taken'
}

// In the engine's command-line mode the SQL function file() reads any path, whatever the user's rights: the
// kernel has to refuse. /proc/self is this process only, so no other one's environment can be read.
async function confine(input: EngineProcessInput): Promise<void> {
  if (process.platform !== 'linux') return
  const confined = await confineThreads({
    readable: [...input.readablePaths, ...SYSTEM_PATHS],
    writable: [input.tablesFolder, input.logFolder],
    connects: input.tcpPort !== undefined,
  })
  if (!confined) process.stderr.write(`${NOT_CONFINED}\n`)
}

// Takes the only thread of the pool, so that this one can trim the memory; asynchronous functions of `fs` would wait for its end.
// The library does not return errors: it writes them to stderr.
async function serveUntilStdinCloses(input: EngineProcessInput): Promise<void> {
  const args = engineArguments(input)
  await load({
    library: ENGINE,
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [args.length, args],
    runInNewThread: true,
  })
}

function engineArguments(input: EngineProcessInput): string[] {
  const tcp = input.tcpPort === undefined ? [] : ['--tcp_port', String(input.tcpPort)]
  const listenTcp = input.tcpPort === undefined ? '' : 'SYSTEM START LISTEN TCP; '
  return [
    'clickhouse',
    '--config-file',
    input.configPath,
    '--path',
    input.tablesFolder,
    '--listen_host',
    '127.0.0.1',
    '--http_port',
    String(input.httpPort),
    ...tcp,
    // Otherwise the statement that lasts as long as the engine wakes up ten times a second to report its progress.
    '--interactive_delay',
    String(PROGRESS_EVERY_US),
    '--query',
    // Reading the end of stdin keeps the engine alive. `-` is read by descriptor: a socket cannot be opened.
    `${listenTcp}SYSTEM START LISTEN HTTP; SELECT count() FROM file('-', LineAsString)`,
  ]
}
