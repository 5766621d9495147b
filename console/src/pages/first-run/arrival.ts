import { timestampNow } from '@bufbuild/protobuf/wkt'
import { EventsService } from '@contract/sdk/events/v1/events_service_pb.js'
import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js'
import { clientOf } from '../../rpc/client.ts'
import { writeFailure } from '../../rpc/failure-text.ts'
import { createUuid } from './uuid.ts'

const activityClient = clientOf(ActivityService)
const eventsClient = clientOf(EventsService)

const POLL_MS = 2000

/** A step on the way of the first event; `problem` is why it fails. */
export interface Check {
  readonly state: 'waiting' | 'ok' | 'failed'
  readonly problem?: string
}

const WAITING: Check = { state: 'waiting' }
const OK: Check = { state: 'ok' }

/** The first event on its way. */
export interface Arrival {
  /** The newest event, once there is one. */
  readonly event: Accessor<ActivityEvent | undefined>
  /** Whether the service is ready. */
  readonly service: Accessor<Check>
  /** Whether the service accepts the key. */
  readonly key: Accessor<Check>
  /** The reason why the test event was rejected. */
  readonly rejection: Accessor<string | undefined>
  /** Seconds since the page began to wait. */
  readonly seconds: Accessor<number>
  /** Sends an event with the key, as a page of the user would. */
  sendTest(): Promise<void>
}

/** Waits for the first event of the project, and checks each step on its way, while the page is visible. */
export function watchArrival(key: Accessor<string>): Arrival {
  const [event, setEvent] = createSignal<ActivityEvent>()
  const [service, setService] = createSignal<Check>(WAITING)
  const [keyCheck, setKeyCheck] = createSignal<Check>(WAITING)
  const [rejection, setRejection] = createSignal<string>()
  const [seconds, setSeconds] = createSignal(0)
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async (): Promise<void> => {
    if (!document.hidden) {
      setService(await checkService())
      if (key() !== '') setKeyCheck(await checkKey(key()))
      setEvent(await findEvent())
    }
    if (!isOver && event() === undefined) timer = setTimeout(() => void look(), POLL_MS)
  }
  const clock = setInterval(() => setSeconds((count) => count + 1), 1000)
  onMount(() => void look())
  onCleanup(() => {
    isOver = true
    clearTimeout(timer)
    clearInterval(clock)
  })
  const sendTest = async (): Promise<void> => {
    setRejection(await sendTestEvent(key()))
  }
  return { event, service, key: keyCheck, rejection, seconds, sendTest }
}

async function checkService(): Promise<Check> {
  try {
    const { ok } = await fetch('/readyz', { cache: 'no-store' })
    return ok ? OK : { state: 'failed' }
  } catch {
    return { state: 'failed' }
  }
}

/** A batch without events stores nothing, and is refused with an unknown key. */
async function checkKey(key: string): Promise<Check> {
  try {
    await eventsClient.batchCreate({}, { headers: { 'x-api-key': key } })
    return OK
  } catch (thrown) {
    return { state: 'failed', problem: await writeFailure(thrown) }
  }
}

/** A failure is not shown: the check of the service shows the cause. */
async function findEvent(): Promise<ActivityEvent | undefined> {
  try {
    const { events } = await activityClient.getEventExplorer({ pageSize: 1 })
    return events[0]
  } catch {
    return undefined
  }
}

/** The reason why the event was rejected; `undefined` when it is stored. */
async function sendTestEvent(key: string): Promise<string | undefined> {
  const event = {
    eventId: createUuid(),
    kind: 'test_event',
    occurTime: timestampNow(),
    distinctId: 'anon-test',
    sessionId: createUuid(),
    autoProperties: { $url: { value: { case: 'stringValue', value: location.href } } },
  } as const
  try {
    await eventsClient.batchCreate({ events: [event] }, { headers: { 'x-api-key': key } })
    return undefined
  } catch (thrown) {
    return await writeFailure(thrown)
  }
}
