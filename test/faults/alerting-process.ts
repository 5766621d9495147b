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
import { sleep } from '../../src/kernel/clock.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { LOOPBACK } from '../harness/loopback.ts'
import { type RacingParts, runJobs, SEALER } from './racing-jobs.ts'

/** The entry of processes that check alerts and deliver their notifications. */
export const ALERTING_PROCESS = fileURLToPath(import.meta.url)

/** The value of a series in an hour: any, and the same for every process. */
export function valueAt(kind: string, fromMs: number): number {
  const seed = [...kind].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), fromMs / 3_600_000)
  return new Prng(Math.floor(seed)).below(100)
}

function createHandlers({ catalog, clock, log }: RacingParts) {
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
  const deliver = createDeliverNotification({
    ...{ catalog, clock, log, channels, deliveries, outbound: LOOPBACK },
    chooseSender: async () => await Promise.reject(new Error('there is no mail')),
    tellAdmins: async () => undefined,
  })
  return { recurring: { [CHECK_ALERTS]: checkAlerts }, handlers: { [DELIVER_NOTIFICATION]: deliver } }
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

if (process.argv[1] === ALERTING_PROCESS) runJobs(process.argv.slice(2), createHandlers)
