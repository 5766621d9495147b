import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { create } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type QueryRequest,
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { CHECK_ALERTS } from '../../src/control/alerts/alert-jobs.ts'
import { createCheckAlerts } from '../../src/control/alerts/check-alerts.ts'
import { Channels } from '../../src/control/channels/channels.ts'
import { createDeliverNotification } from '../../src/control/channels/deliver-notification.ts'
import { DELIVER_NOTIFICATION, Deliveries } from '../../src/control/channels/deliveries.ts'
import { createNotifyChannels } from '../../src/control/channels/notify-channels.ts'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { RecurringDispatcher } from '../../src/jobs/recurring-dispatcher.ts'
import { createRecurringJobHandlers } from '../../src/jobs/recurring-jobs.ts'
import { type Clock, sleep } from '../../src/kernel/clock.ts'
import { createLogger } from '../../src/kernel/log.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { Sealer } from '../../src/kernel/sealer.ts'
import { type CatalogLocation, openCatalog } from '../../src/store/catalog/catalog.ts'
import { LOOPBACK } from '../harness/loopback.ts'

/** Where and when a process works. */
export interface Alerting {
  readonly place: CatalogLocation
  /** An instant of the machine's clock, and the same one of the run's, which is faster. */
  readonly machineMs: number
  readonly startMs: number
  readonly speed: number
}

/** The secrets of the run. */
export const SEALER = new Sealer(Buffer.alloc(32, 1))

/** The clock of a run. */
export function clockOf({ machineMs, startMs, speed }: Alerting): Clock {
  return { nowMs: () => Math.floor(startMs + (Date.now() - machineMs) * speed) }
}

/** The value of a series in an hour: any, and the same for every process. */
export function valueAt(kind: string, fromMs: number): number {
  const seed = [...kind].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), fromMs / 3_600_000)
  return new Prng(Math.floor(seed)).below(100)
}

const READY = 'ready'

/** Starts a process that checks alerts and delivers their notifications. A message stops it from beginning checks. */
export async function startAlertingProcess(alerting: Alerting): Promise<ChildProcess> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(alerting)], { execArgv: [] })
  await once(child, 'message')
  return child
}

/** Claims last for a second of the machine, so that those of a killed process end, and long work is done twice. */
const LEASE_MACHINE_MS = 1000
const POLL_MS = 20

function runChild([text = '']: readonly string[]): void {
  const alerting: Alerting = JSON.parse(text)
  const clock = clockOf(alerting)
  const catalog = openCatalog(alerting.place)
  const log = createLogger({ role: 'test', level: 'silent' })
  const channels = new Channels({ catalog, clock, sealer: SEALER })
  const deliveries = new Deliveries({ catalog, sealer: SEALER })
  const checkAlerts = createCheckAlerts({
    catalog,
    clock,
    log,
    ask: async (_, request) => await answer(request),
    notify: createNotifyChannels({ channels, deliveries, wakeJobs: () => undefined }),
    tellAuthor: async () => await Promise.reject(new Error('no question fails')),
    publicUrl: 'https://millrace.example.com',
  })
  const parts = { catalog, clock, log, channels, deliveries, outbound: LOOPBACK }
  const deliver = createDeliverNotification({
    ...parts,
    chooseSender: async () => await Promise.reject(new Error('there is no mail')),
    tellAdmins: async () => undefined,
  })
  const tuning = {
    pollMs: POLL_MS,
    leaseMs: LEASE_MACHINE_MS * alerting.speed,
    retry: { firstMs: 1, maxMs: alerting.speed * POLL_MS },
  }
  const dispatcher = new RecurringDispatcher({
    ...{ catalog, clock, log, standing: [], pollMs: POLL_MS },
    kinds: [CHECK_ALERTS],
    wakeJobs: () => undefined,
  })
  const handlers = {
    ...createRecurringJobHandlers(
      { [CHECK_ALERTS]: checkAlerts },
      { catalog, wakeDispatcher: () => undefined },
    ),
    [DELIVER_NOTIFICATION]: deliver,
  }
  new JobRunner({ catalog, clock, log, handlers, tuning }).start()
  dispatcher.start()
  process.on('message', () => void dispatcher.stop())
  process.send?.(READY)
}

/** Takes some time, so that processes die while they wait. */
async function answer({ spec, timeRange }: QueryRequest): Promise<QueryResponse> {
  await sleep(Math.random() * 20)
  const kind = spec?.events[0]?.event?.kind ?? ''
  const value = valueAt(kind, timeRange?.from ? timestampMs(timeRange.from) : 0)
  return create(QueryResponseSchema, {
    result: { case: 'trends', value: { series: [{ points: [{ value }] }] } },
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runChild(process.argv.slice(2))
