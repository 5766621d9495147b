import { strictEqual } from 'node:assert'
import { gzipSync } from 'node:zlib'
import { LIMITS } from '../../src/kernel/limits.ts'
import { createBatchProcessor } from '../../src/pipeline/create-batch-processor.ts'
import type { ForeignRequest } from '../../src/pipeline/dialects/foreign/foreign-batch.ts'
import { PackedTask } from '../../src/pipeline/packed-task.ts'
import type { BatchRequest } from '../../src/pipeline/task.ts'
import type { BenchCase } from '../case.ts'
import type { JsonEvent } from '../corpus/events.ts'
import { chunk, FIXTURE_EVENTS, INGEST_RANGE, ingestEvents } from '../corpus/fixtures.ts'
import { cpuMicrosPerEvent, type Work } from '../rig/cpu.ts'
import { jsonRequest, workerSettings } from '../rig/worker.ts'
import type { Teardown } from '../teardown.ts'

/** The key that the bodies have. */
export const SENDER_KEY = 'pub_benchbenchbenchbenchbench'

/** How a vendor's SDK sends events. */
export interface Sender {
  readonly dialect: ForeignRequest['dialect']
  readonly form: string
  /** Where it sends to. */
  readonly path: string
  /** Events of a request, as its SDK usually sends them. */
  readonly size: number
  write(events: readonly JsonEvent[]): Buffer
}

/** One SDK of each vendor. */
export const SENDERS: readonly Sender[] = [
  {
    dialect: 'posthog',
    form: 'capture',
    path: '/posthog/e/',
    size: 50,
    write: (events) =>
      gzipSync(JSON.stringify({ api_key: SENDER_KEY, batch: events.map(toPosthog), sent_at: SENT_AT })),
  },
  {
    dialect: 'segment',
    form: 'batch',
    path: '/v1/batch',
    size: 15,
    write: (events) =>
      Buffer.from(JSON.stringify({ batch: events.map(toSegment), writeKey: SENDER_KEY, sentAt: SENT_AT })),
  },
  {
    dialect: 'mixpanel',
    form: 'track-on-device',
    path: '/mixpanel/track/?verbose=1&ip=1',
    size: 50,
    write: (events) => {
      const data = Buffer.from(JSON.stringify(events.map(toMixpanel))).toString('base64')
      return Buffer.from(`data=${encodeURIComponent(data)}`)
    },
  },
  {
    dialect: 'amplitude',
    form: 'events',
    path: '/amplitude/2/httpapi',
    size: 30,
    write: (events) => Buffer.from(JSON.stringify({ api_key: SENDER_KEY, events: events.map(toAmplitude) })),
  },
  {
    dialect: 'plausible',
    form: 'event',
    path: `/plausible/${SENDER_KEY}/api/event`,
    size: 1,
    write: ([event]) => Buffer.from(JSON.stringify(toPlausible(event))),
  },
  {
    dialect: 'umami',
    form: 'send',
    path: `/umami/${SENDER_KEY}/api/send`,
    size: 1,
    write: ([event]) => Buffer.from(JSON.stringify(toUmami(event))),
  },
  {
    dialect: 'ga4',
    form: 'collect',
    path: `/ga4/mp/collect?api_secret=${SENDER_KEY}`,
    size: 25,
    write: (events) =>
      Buffer.from(JSON.stringify({ client_id: events[0]?.distinctId, events: events.map(toGa4) })),
  },
]

const SENT_AT = new Date(INGEST_RANGE.toMs).toISOString()

/**
 * A worker's whole task with requests of another vendor's SDK, compared with the same events as BatchCreate requests of as many
 * events, in JSON. Bodies are as the SDK sends them: those of PostHog are compressed.
 */
export const dialectCases: readonly BenchCase[] = SENDERS.map((sender) => ({
  name: `dialect/${sender.dialect}-${sender.size}`,
  unit: 'µs CPU/event',
  baseline: 'BatchCreate JSON of the same events',
  rounds: 9,
  prepare: async (teardown) => {
    const batches = chunk(ingestEvents(FIXTURE_EVENTS), sender.size)
    const foreign = { dialect: sender.dialect, form: sender.form, key: SENDER_KEY, listsResults: false }
    const receivedMicros = Date.now() * 1000
    const subject = await taskWork(
      teardown,
      batches.map((events) => ({
        ...jsonRequest(sender.write(events)),
        foreign: { ...foreign, receivedMicros },
      })),
    )
    const baseline = await taskWork(
      teardown,
      batches.map((events) => jsonRequest(Buffer.from(JSON.stringify({ events })))),
    )
    return async () => ({
      cost: await cpuMicrosPerEvent(subject),
      baseline: await cpuMicrosPerEvent(baseline),
    })
  },
}))

/** Works through requests in tasks packed as full as the pool packs them, in this thread. */
async function taskWork(teardown: Teardown, requests: readonly BatchRequest[]): Promise<Work> {
  const processor = await createBatchProcessor(workerSettings(teardown))
  const bytesMax = Math.max(...requests.map(({ bytes }) => bytes.length))
  const perTask = Math.min(LIMITS.taskRequestsMax, Math.floor(LIMITS.taskBytesMax / 4 / bytesMax))
  const tasks = chunk(requests, Math.max(1, perTask))
  const [packed, output] = [new PackedTask(0), new SharedArrayBuffer(LIMITS.taskBytesMax)]
  const run = async (): Promise<number> => {
    let rowCount = 0
    for (const part of tasks) {
      // A task that takes long ends early, and leaves requests to the next one.
      for (let rest = part; rest.length > 0; ) {
        packed.clear()
        for (const request of rest) packed.add(request)
        const result = await processor.process(packed.seal(output))
        rowCount += result.rowCount
        rest = rest.slice(result.outcomes.length)
      }
    }
    return rowCount
  }
  strictEqual(await run(), FIXTURE_EVENTS)
  return { events: FIXTURE_EVENTS, run }
}

type Plain = Readonly<Record<string, unknown>>

/** The properties of an event as plain values. */
function plain({ autoProperties, customProperties }: JsonEvent): Plain {
  const entries = Object.entries({ ...autoProperties, ...customProperties })
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      'intValue' in value ? Number(value.intValue) : Object.values(value)[0],
    ]),
  )
}

function toPosthog(event: JsonEvent): Plain {
  const { eventId, kind, occurTime, distinctId, sessionId } = event
  const properties = {
    ...plain(event),
    distinct_id: distinctId,
    $session_id: sessionId,
    $lib: 'web',
    token: SENDER_KEY,
  }
  return { event: kind, uuid: eventId, timestamp: occurTime, properties }
}

function toSegment(event: JsonEvent): Plain {
  const { eventId, kind, occurTime, distinctId } = event
  const context = { library: { name: '@segment/analytics-node', version: '3.1.0' } }
  const properties = plain(event)
  return {
    type: 'track',
    event: kind,
    messageId: `node-next-1-${eventId}`,
    timestamp: occurTime,
    anonymousId: distinctId,
    context,
    properties,
  }
}

function toMixpanel(event: JsonEvent): Plain {
  const { eventId, kind, occurTime, distinctId } = event
  const time = Date.parse(occurTime) / 1000
  const ids = { token: SENDER_KEY, distinct_id: distinctId, $insert_id: eventId.slice(0, 16), mp_lib: 'web' }
  return { event: kind, properties: { ...plain(event), ...ids, time } }
}

function toAmplitude(event: JsonEvent): Plain {
  const { eventId, kind, occurTime, distinctId } = event
  return {
    event_type: kind,
    insert_id: eventId,
    time: Date.parse(occurTime),
    device_id: distinctId,
    session_id: 1_795_355_895_814,
    event_properties: plain(event),
    platform: 'Web',
    library: 'amplitude-ts/2.47.0',
  }
}

function toPlausible(event: JsonEvent | undefined): Plain {
  const properties = event ? plain(event) : {}
  return {
    n: event?.kind,
    u: `https://shop.example${properties.$pathname}`,
    d: 'shop.example',
    p: JSON.stringify(properties),
  }
}

function toUmami(event: JsonEvent | undefined): Plain {
  const data = event ? plain(event) : {}
  const payload = { website: 'shop', hostname: 'shop.example', url: data.$pathname, name: event?.kind, data }
  return { type: 'event', payload }
}

function toGa4(event: JsonEvent): Plain {
  const timestamp_micros = Date.parse(event.occurTime) * 1000
  return { name: event.kind, timestamp_micros, params: { ...plain(event), session_id: '1795355895' } }
}
