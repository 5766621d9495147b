// Delays until a person is known and forgotten, with 100,000 of 300,000 events: from Identify to the profile, from a claim
// to insights that count both ids as one, from DeleteDataSubject to its completion, and to files without the person's texts.
import { randomUUID } from 'node:crypto'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { findBytes } from '../../test/harness/byte-search.ts'
import { generateEvents, type JsonEvent } from '../corpus/events.ts'
import { chunk } from '../corpus/fixtures.ts'
import { call } from '../rig/call.ts'
import { runCommand } from '../rig/run-command.ts'
import { type BenchService, startService } from '../rig/service.ts'
import { untilSettled } from '../rig/store.ts'
import type { Teardown } from '../teardown.ts'

const SEED = 20260120
const DAY_MS = 86_400_000

const PLAN = { ofPerson: 100_000, ofOthers: 200_000, sessions: 1000, others: 5000, days: 30 } as const
const BATCH_EVENTS = 1000
const WAIT_MS_MAX = 300_000

const PROFILES = 'shared.profiles.v1.ProfilesService'

/** Texts that only this person has. */
const PERSON = {
  externalId: `person-${randomUUID()}@example.org`,
  anonymousId: `anon-${randomUUID()}`,
  trait: `trait-${randomUUID()}`,
} as const

await runCommand('npm run bench:people', measure)

async function measure(teardown: Teardown): Promise<void> {
  const service = await startService(teardown)
  const headers = { 'x-api-key': service.privateKey }
  const callMethod = async (method: string, body: object): Promise<Record<string, unknown>> =>
    await call(service, method, body, { ...headers, 'cache-control': 'no-cache' })
  const identify = async (message: object): Promise<void> => {
    await callMethod('sdk.profiles.v1.ProfilesSDKService/Identify', {
      externalId: PERSON.externalId,
      ...message,
    })
  }
  await send(service, headers)

  await report('Identify to its profile', async () => {
    await identify({ traits: { name: PERSON.trait } })
    await until(50, async () => await hasProfile(callMethod))
  })

  const before = await countUsers(callMethod)
  await report('claim of an id to one user fewer', async () => {
    await identify({ anonymousId: PERSON.anonymousId })
    await until(200, async () => (await countUsers(callMethod)) === before - 1)
  })

  const startMs = monotonicMs()
  const { requestId } = await callMethod(`${PROFILES}/DeleteDataSubject`, { externalId: PERSON.externalId })
  printSince('DeleteDataSubject to its answer', startMs)
  let erased = ''
  await until(100, async () => {
    const { status, eventsIdentified } = await callMethod(`${PROFILES}/GetDeletionRequest`, { requestId })
    erased = String(eventsIdentified)
    return status === 'COMPLIANCE_REQUEST_STATUS_COMPLETED'
  })
  printSince(`DeleteDataSubject to its completion, ${erased} events`, startMs)
  if (Number(erased) !== PLAN.ofPerson) throw new Error(`${erased} events were erased`)
  await until(2000, async () => findBytes(service.dataDir, Object.values(PERSON)).length === 0)
  printSince('DeleteDataSubject to files without a text of the person', startMs)
}

type CallMethod = (method: string, body: object) => Promise<Record<string, unknown>>

async function hasProfile(callMethod: CallMethod): Promise<boolean> {
  const found = await callMethod(`${PROFILES}/GetByExternalId`, { externalId: PERSON.externalId }).catch(
    () => ({}),
  )
  return JSON.stringify(found).includes(PERSON.trait)
}

async function countUsers(callMethod: CallMethod): Promise<number> {
  const nowMs = Date.now()
  const { segmentation } = await callMethod('shared.insights.v1.InsightsService/Query', {
    spec: {
      insightType: 'INSIGHT_TYPE_SEGMENTATION',
      events: [{ event: {}, aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' }],
    },
    timeRange: { from: new Date(nowMs - (PLAN.days + 1) * DAY_MS), to: new Date(nowMs) },
    granularity: 'GRANULARITY_DAY',
  })
  return (segmentation as { readonly total: number }).total
}

/** Sends the events in the order of their times, and waits until they are stored. */
async function send(service: BenchService, headers: Readonly<Record<string, string>>): Promise<void> {
  for (const events of chunk(makeEvents(), BATCH_EVENTS)) {
    await call(service, 'sdk.events.v1.EventsService/BatchCreate', { events }, headers)
  }
  await untilSettled(service.store, PLAN.ofPerson + PLAN.ofOthers)
}

/** Every third event is the person's, half of them under the anonymous id. */
function makeEvents(): JsonEvent[] {
  const toMs = Date.now() - DAY_MS
  const count = PLAN.ofPerson + PLAN.ofOthers
  const events = generateEvents(new Prng(SEED), { count, fromMs: toMs - (PLAN.days - 1) * DAY_MS, toMs })
  const sessions = Array.from({ length: PLAN.sessions }, () => randomUUID())
  return events.map((event, index) => {
    if (index % 3 !== 0) return { ...event, distinctId: `other-${index % PLAN.others}` }
    const sessionId = sessions[Math.floor((index / count) * PLAN.sessions)] ?? event.sessionId
    return { ...event, sessionId, distinctId: index % 2 === 0 ? PERSON.externalId : PERSON.anonymousId }
  })
}

async function report(what: string, work: () => Promise<void>): Promise<void> {
  const startMs = monotonicMs()
  await work()
  printSince(what, startMs)
}

function printSince(what: string, startMs: number): void {
  process.stdout.write(`${what}: ${((monotonicMs() - startMs) / 1000).toFixed(2)} s\n`)
}

async function until(everyMs: number, isDone: () => Promise<boolean>): Promise<void> {
  const endMs = monotonicMs() + WAIT_MS_MAX
  while (!(await isDone())) {
    if (monotonicMs() > endMs) throw new Error(`this took longer than ${WAIT_MS_MAX / 1000} s`)
    await sleep(everyMs)
  }
}
