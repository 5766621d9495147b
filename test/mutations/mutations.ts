/** A defect to plant: the tests that it names must fail. */
export interface Mutation {
  /** What a user would see go wrong. */
  readonly breaks: string
  /** Code that occurs once in `src`, so that a file that moves takes its mutations along. */
  readonly search: string
  readonly replace: string
  /** Fast tests, one of which has to fail; each by as much of its path's end as is unique. */
  readonly tests: readonly string[]
}

/** The defects that the tests have to notice; `npm run mutations` plants them one at a time. */
export const MUTATIONS: readonly Mutation[] = [
  {
    breaks: 'an answer of one project is served to another',
    search: '`${project.projectId} ${project.projectTimeZone}',
    replace: '`${project.projectTimeZone}',
    tests: ['query-call.test.ts'],
  },
  {
    breaks: "an answer survives a change of the project's time zone",
    search: '${project.projectTimeZone} ${input.typeName}',
    replace: '${input.typeName}',
    tests: ['query-call.test.ts'],
  },
  {
    breaks: 'a set of 64 bits holds 65 buckets',
    search: '{ bits: 64,',
    replace: '{ bits: 65,',
    tests: ['bucket-sql.test.ts'],
  },
  {
    breaks: 'a list takes 51 filters',
    search: 'FILTERS_MAX = 50',
    replace: 'FILTERS_MAX = 51',
    tests: ['parse-filters.test.ts'],
  },
  {
    breaks: 'a query takes 21 groups of filters',
    search: 'GROUPS_MAX = 20',
    replace: 'GROUPS_MAX = 21',
    tests: ['parse-filters.test.ts'],
  },
  {
    breaks: 'a spec with fields of another type is accepted',
    search: '!allowed.includes(field.localName) && isFieldSet(spec, field)',
    replace: 'false',
    tests: ['insight-rules.test.ts'],
  },
  {
    breaks: 'a query runs on after its last caller has left',
    search: 'computation.abort.abort(signal.reason)',
    replace: '',
    tests: ['answer-cache.test.ts'],
  },
  {
    breaks: "a range that ends at a bucket's start has an empty bucket more",
    search: 'ms < toMs; ms =',
    replace: 'ms <= toMs; ms =',
    tests: ['insights/buckets.test.ts'],
  },
  {
    breaks: 'a date that the zone skipped has a bucket of its own',
    search: 'if (starts.at(-1) === ms) starts.pop()',
    replace: '',
    tests: ['insights/buckets.test.ts'],
  },
  {
    breaks: 'steps of any kind count as disjoint',
    search: "left.kind !== '' && right.kind !== '' && left.kind",
    replace: 'left.kind',
    tests: ['funnel/funnel.test.ts'],
  },
  {
    breaks: 'a page token of one project works in another',
    search: '.update(`${projectId}\\n`)',
    replace: ".update('\\n')",
    tests: ['segment-users/page-token.test.ts'],
  },
  {
    breaks: 'one project may take every slot while others wait',
    search: 'const reserved = Math.max(1, Math.floor(limits.runningMax / 4))',
    replace: 'const reserved = 0',
    tests: ['query-gate.test.ts'],
  },
  {
    breaks: 'the last event of a user is outside the range',
    search: 'Math.min(range.toMs, lastMs + 1)',
    replace: 'Math.min(range.toMs, lastMs)',
    tests: ['locate-events.test.ts'],
  },
  {
    breaks: 'the scan trusts a record whose checksum is wrong',
    search: 'next && isIntact(bytes, next) ? next',
    replace: 'next ? next',
    tests: ['scan.test.ts'],
  },
  {
    breaks: 'a segment is sealed without a sync when the journal syncs by interval',
    search: "if (this.#options.sync === 'always' || seal) await",
    replace: "if (this.#options.sync === 'always') await",
    tests: ['journal/journal.test.ts'],
  },
  {
    breaks: 'the journal is closed without a sync when it syncs by interval',
    search: "if (!this.#failed && this.#options.sync !== 'always') await",
    replace: "if (this.#failed && this.#options.sync !== 'always') await",
    tests: ['journal/journal.test.ts'],
  },
  {
    breaks: 'a decimal of 16 digits is taken as exact',
    search: 'const EXACT_DIGITS_MAX = 15',
    replace: 'const EXACT_DIGITS_MAX = 16',
    tests: ['json-numbers.test.ts'],
  },
  {
    breaks: 'a look-up of access that began before forget() is cached',
    search: 'if (generation === this.#generation) this.#cache.set(name, found)',
    replace: 'this.#cache.set(name, found)',
    tests: ['project-access-reader.test.ts'],
  },
  {
    breaks: 'a project id of 11 digits is looked up',
    search: '/^[1-9]\\d{0,8}$/',
    replace: '/^[1-9]\\d{0,10}$/',
    tests: ['access-gate.test.ts'],
  },
  {
    breaks: 'the scanner reads a property type under another tag than the table has',
    search: 'bool: 0x20, time: 0x2a',
    replace: 'bool: 0x28, time: 0x2a',
    tests: ['scanned-types.test.ts'],
  },
  {
    breaks: 'an offset shifts a time in the wrong direction',
    search: "sign === '-' ? -offsetMs : offsetMs",
    replace: "sign === '-' ? offsetMs : -offsetMs",
    tests: ['rfc3339.test.ts'],
  },
  {
    breaks: 'a text is cut inside a surrogate pair',
    search: '> 0xffff ? 2 : 1',
    replace: '> 0xffff ? 1 : 1',
    tests: ['event-rules.test.ts'],
  },
  {
    breaks: 'a claim in one project counts in another',
    search: '`${projectId} ${anonymousId}`',
    replace: 'anonymousId',
    tests: ['merge-guards.test.ts'],
  },
  {
    breaks: 'a stale look-up is cached after forget()',
    search: 'if (generation === this.#generation) this.#active.set(name, true)',
    replace: 'this.#active.set(name, true)',
    tests: ['session-reader.test.ts'],
  },
  {
    breaks: 'a method that needs a checked session takes a cached one',
    search: "check === 'cached' && this.#active.has(name)",
    replace: 'this.#active.has(name)',
    tests: ['session-reader.test.ts'],
  },
  {
    breaks: 'the wildcard range of a typo is taken',
    search: '!(prefix <= bitsMax)',
    replace: '!(prefix <= bitsMax + 1)',
    tests: ['address-ranges.test.ts'],
  },
  {
    breaks: 'a sealed text opens for another purpose',
    search: '    decipher.setAAD(Buffer.from(purpose))\n',
    replace: "    decipher.setAAD(Buffer.from(''))\n",
    tests: ['sealer.test.ts'],
  },
  {
    breaks: 'a purpose and a text that concatenate alike share a digest',
    search: '.update(length).update(purpose)',
    replace: '.update(purpose)',
    tests: ['sealer.test.ts'],
  },
  {
    breaks: 'a gRPC timeout is rounded down',
    search: 'Math.ceil(Number(digits) * unitMs)',
    replace: 'Math.floor(Number(digits) * unitMs)',
    tests: ['timeout.test.ts'],
  },
  {
    breaks: 'a Connect timeout of 11 digits passes',
    search: '/^\\d{1,10}$/',
    replace: '/^\\d{1,11}$/',
    tests: ['timeout.test.ts'],
  },
  {
    breaks: 'a second message in a body is ignored',
    search: '  if (end < body.length) return err(refuseRest(body.subarray(end)))\n',
    replace: '',
    tests: ['envelope.test.ts'],
  },
  {
    breaks: 'a name with a NUL character passes',
    search: "if (name.includes('\\0')) yield path",
    replace: "if (name === '\\0') yield path",
    tests: ['message-rules.test.ts'],
  },
  {
    breaks: 'open methods take bodies of any size',
    search: "'/public.', '/grpc.', '/console/session/'",
    replace: "'/grpc.', '/console/session/'",
    tests: ['message-bounds.test.ts'],
  },
  {
    breaks: 'a body may drip without an end',
    search: 'if (nowMs - this.#startedMs >= bodyMsMax) return true',
    replace: '',
    tests: ['body-pace.test.ts'],
  },
  {
    breaks: 'a bucket fills above its burst',
    search: 'Math.min(burst, Math.min(burst, present) - used)',
    replace: 'present - used',
    tests: ['token-bucket.test.ts'],
  },
  {
    breaks: 'a role is not enough for itself',
    search: 'RANKS[role] >= RANKS[needed]',
    replace: 'RANKS[role] > RANKS[needed]',
    tests: ['organisations/roles.test.ts'],
  },
  {
    breaks: 'an unspecified role becomes viewer',
    search: "throw invalidField('role', 'must be a role')",
    replace: "return 'viewer'",
    tests: ['organisations/roles.test.ts'],
  },
  {
    breaks: 'the delay between attempts at a job does not grow',
    search: 'delayAfter(this.#tuning.retry, job.attempts)',
    replace: 'delayAfter(this.#tuning.retry, 1)',
    tests: ['job-runner.test.ts'],
  },
  {
    breaks: 'a running job is claimed before its lease expires',
    search: 'next_ms: nowMs + leaseMs',
    replace: 'next_ms: nowMs',
    tests: ['job-runner.test.ts'],
  },
  {
    breaks: 'failed jobs are kept for a day',
    search: 'FAILED_RETENTION_MS = 30 *',
    replace: 'FAILED_RETENTION_MS = 1 *',
    tests: ['failed-job-cleaner.test.ts'],
  },
  {
    breaks: 'failed jobs count as overdue',
    search: "row.kind === kind && row.state !== 'failed')\n    .map",
    replace: 'row.kind === kind)\n    .map',
    tests: ['job-metrics.test.ts'],
  },
  {
    breaks: 'a machine with a slow clock takes a valid lease',
    search: 'lease.nowMs + 2 * lease.ttlMs',
    replace: 'lease.nowMs + lease.ttlMs',
    tests: ['catalog/catalog.test.ts'],
  },
  {
    breaks: 'a released migration is renamed',
    search: "'015-refresh-time': refreshTime",
    replace: "'017-refresh-time': refreshTime",
    tests: ['catalog/catalog.test.ts'],
  },
  {
    breaks: 'known keys stop working while the catalog is unreadable',
    search: 'allowStaleOnFetchRejection: true',
    replace: 'allowStaleOnFetchRejection: false',
    tests: ['key-resolver.test.ts'],
  },
  {
    breaks: 'the scan trusts a record whose checksum is wrong',
    search: 'next && isIntact(bytes, next) ? next',
    replace: 'next ? next',
    tests: ['scan.test.ts'],
  },
  {
    breaks: 'a stale look-up is cached after forget()',
    search: 'if (generation === this.#generation) this.#active.set(name, true)',
    replace: 'this.#active.set(name, true)',
    tests: ['session-reader.test.ts'],
  },
  {
    breaks: 'a method that needs a checked session takes a cached one',
    search: "check === 'cached' && this.#active.has(name)",
    replace: 'this.#active.has(name)',
    tests: ['session-reader.test.ts'],
  },
  {
    breaks: 'a caller that asks for a fresh answer gets a cached one',
    search: 'const known = isFresh ? undefined : this.#answers.get(key)',
    replace: 'const known = this.#answers.get(key)',
    tests: ['answer-cache.test.ts'],
  },
  {
    breaks: 'characters that the engine escapes are counted once',
    search: '+ (value.match(ESCAPED)?.length ?? 0)',
    replace: '',
    tests: ['statement-size.test.ts'],
  },
  {
    breaks: 'a client chooses its own network',
    search: 'addresses.findLast(',
    replace: 'addresses.find(',
    tests: ['address-ranges.test.ts'],
  },
  {
    breaks: 'work goes on after a failure',
    search: 'turn.done !== true && !isFailed',
    replace: 'turn.done !== true',
    tests: ['run-in-order.test.ts'],
  },
  {
    breaks: 'a session ends after exactly 30 idle minutes',
    search: 'time > current[1] + SESSION_IDLE_MS',
    replace: 'time >= current[1] + SESSION_IDLE_MS',
    tests: ['session-history.test.ts'],
  },
  {
    breaks: 'a shared dashboard may be read without a limit',
    search: 'if (grant.granted < 1) throw',
    replace: 'if (grant.granted < 0) throw',
    tests: ['share-limiter.test.ts'],
  },
  {
    breaks: 'refusals without number are held',
    search: 'if (this.#held >= HELD_MAX) return',
    replace: '',
    tests: ['refusal-pause.test.ts'],
  },
  {
    breaks: 'a session of one user continues under another',
    search: 'return session.user === undefined || user === undefined || session.user === user',
    replace: 'return true',
    tests: ['session-finder.test.ts'],
  },
  {
    breaks: 'answers of one project reach another',
    search: '`${project.projectId} ${project.projectTimeZone} ${input.typeName}\\n`',
    replace: '`${project.projectTimeZone} ${input.typeName}\\n`',
    tests: ['query-call.test.ts'],
  },
  {
    breaks: 'a change of time zone leaves old answers in the cache',
    search: '`${project.projectId} ${project.projectTimeZone} ${input.typeName}\\n`',
    replace: '`${project.projectId} ${input.typeName}\\n`',
    tests: ['query-call.test.ts'],
  },
  {
    breaks: 'a query with 51 filters passes',
    search: 'const FILTERS_MAX = 50',
    replace: 'const FILTERS_MAX = 51',
    tests: ['parse-filters.test.ts'],
  },
  {
    breaks: 'a query with 21 groups of filters passes',
    search: 'const GROUPS_MAX = 20',
    replace: 'const GROUPS_MAX = 21',
    tests: ['parse-filters.test.ts'],
  },
]
