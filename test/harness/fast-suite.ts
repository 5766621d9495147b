/** Files that `npm test` leaves out or that Vitest treats specially, and why. */
interface Group {
  /** A glob from the root of the repository. */
  readonly files: string
  readonly reason: string
}

/** Folders whose files share processes: one of its own costs a file half a second of CPU time. */
export const SHARING = [
  'src/**/*.test.ts',
  'console/src/**/*.test.ts',
  'scripts/**/*.test.ts',
  'test/tidy/**/*.test.ts',
] as const

/** Files of `test/differential` that compare a whole service, or many random questions. */
const LONG_DIFFERENTIAL =
  'test/differential/{active-users,cohorts,differential,drill-down,folded-visits,generate,invariants,kept-days,kept-days-restart,limits,lists,option-properties,reference,tool-schemas,two-shards,visits,web-overview}.test.ts'

/** What needs a process of its own all the same. */
export const ALONE: readonly Group[] = [
  {
    files: 'src/{bin,store}/**/*.test.ts',
    reason: 'opens engines, databases and connections of native code',
  },
  { files: 'src/kernel/{libc,memory/*}.test.ts', reason: 'measures and trims the memory of its process' },
  { files: 'src/pipeline/{journal,ship}/**/*.test.ts', reason: 'kills processes and replaces disks' },
  { files: 'src/pipeline/pool.test.ts', reason: 'replaces the timers beside worker threads' },
]

/** Folders whose files each run in a process of their own. */
export const SEPARATE = ['test/*.test.ts', 'test/!(tidy)/**/*.test.ts', 'bench/**/*.test.ts'] as const

const BROWSER = 'drives a browser'
const CRASHES = 'kills, stops or starts processes and waits for them'
const WAITS = 'waits for timeouts and periods of the service'
const CLUSTER = 'starts several machines, Redis, PostgreSQL or ZooKeeper'
const LONG_SEARCH = 'compares or fuzzes for a long time'
const DOCUMENTS = 'runs every command and every block of the documentation'

/** Tests that only `npm run test:all` runs: they need other programs, real waits, or minutes of CPU time. */
export const SLOW: readonly Group[] = [
  { files: 'test/console*.test.ts', reason: BROWSER },
  { files: 'test/browser/**/*.test.ts', reason: BROWSER },
  { files: 'test/sdk-react/**/*.test.ts', reason: BROWSER },
  { files: 'test/dialects/**/*.test.ts', reason: BROWSER },
  { files: 'test/snippets/**/*.test.ts', reason: DOCUMENTS },
  { files: 'test/docs.test.ts', reason: DOCUMENTS },
  { files: 'test/documented-commands.test.ts', reason: DOCUMENTS },
  { files: 'test/faults/{alerts,browser-sdks,faults,sdks}.test.ts', reason: CRASHES },
  {
    files:
      'test/{absent-store,backup,doctor,folders-of-others,read-only,refused-start,request-ids,supervision}.test.ts',
    reason: CRASHES,
  },
  { files: 'test/upgrade.test.ts', reason: CRASHES },
  { files: 'test/sdk-node/{built,node}-client.test.ts', reason: CRASHES },
  { files: 'src/pipeline/ship/delivery.test.ts', reason: CRASHES },
  { files: 'test/protocols/drain.test.ts', reason: CRASHES },
  {
    files: 'test/{clock-jumps,demo-project,erasure,mail-and-push,plausible-import,sign-in,transfer}.test.ts',
    reason: WAITS,
  },
  { files: 'test/protocols/framing.test.ts', reason: WAITS },
  { files: 'test/abuse/**/*.test.ts', reason: WAITS },
  { files: 'test/{cluster,cluster-files,replicas,replicated-tables,two-edges}.test.ts', reason: CLUSTER },
  { files: 'test/tenant-isolation-postgres.test.ts', reason: CLUSTER },
  { files: 'test/tenant-isolation.test.ts', reason: 'calls every method as several tenants' },
  { files: 'test/protocols/proxies.test.ts', reason: 'starts HAProxy and nginx' },
  { files: LONG_DIFFERENTIAL, reason: LONG_SEARCH },
  { files: 'src/query/insights/{funnel/paths,sessions/sessions}.test.ts', reason: LONG_SEARCH },
  { files: 'scripts/generate.test.ts', reason: 'generates all code' },
  { files: 'test/{control-fuzz,deadlines,tracing}.test.ts', reason: LONG_SEARCH },
  { files: 'test/protocols/matrix.test.ts', reason: 'calls methods in every protocol, codec and coding' },
  { files: 'test/protocols/{fuzz,hostile-bodies,whole-answers}.test.ts', reason: LONG_SEARCH },
  { files: 'test/{build,packaging}.test.ts', reason: 'builds and packs the product' },
  { files: 'bench/**/*.test.ts', reason: 'runs each benchmark once' },
]

/** Files that take longest, as measured: they start first, so that the others fill the time and no run ends with one. */
export const LONGEST: readonly string[] = [
  'test/differential/two-shards.test.ts',
  'test/faults/faults.test.ts',
  'test/transfer.test.ts',
  'test/erasure.test.ts',
  'test/console-insights.test.ts',
  'test/console-filters.test.ts',
  'test/tenant-isolation.test.ts',
  'test/differential/web-overview.test.ts',
  'test/differential/differential.test.ts',
  'test/console-settings.test.ts',
  'test/console-dashboards.test.ts',
  'test/console.test.ts',
  'test/console-overview.test.ts',
  'test/sign-in.test.ts',
  'test/protocols/proxies.test.ts',
  'test/faults/sdks.test.ts',
  'test/faults/browser-sdks.test.ts',
  'test/protocols/drain.test.ts',
  'test/mcp.test.ts',
  'test/protocols/framing.test.ts',
  'test/absent-store.test.ts',
  'test/console-first-run.test.ts',
  'test/plausible-import.test.ts',
  'test/warnings.test.ts',
  'test/cluster.test.ts',
  'test/upgrade.test.ts',
  'test/backup.test.ts',
  'test/clock-jumps.test.ts',
  'test/supervision.test.ts',
]
