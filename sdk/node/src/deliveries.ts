import type { Item } from './encode.ts'
import type { Delivery } from './lane.ts'
import type { Report } from './report.ts'
import type { Answer, Transport } from './transport.ts'

/** How batches reach the service. */
export interface Deliveries {
  /** One request for all events, which the service takes or refuses as a whole. */
  events(batch: readonly Item[]): Promise<Delivery>
  /** One request for each user. */
  users(batch: readonly Item[]): Promise<Delivery>
  counts(): { readonly sent: number; readonly unwanted: number; readonly retries: number }
}

/** The number of first items whose texts fit one request. */
export function cutEvents(waiting: readonly Item[], eventsMax: number): number {
  let bytes = 0
  let count = 0
  for (const item of waiting) {
    bytes += item.bytes
    if (count > 0 && (count >= eventsMax || bytes > BODY_BYTES_MAX)) break
    count++
  }
  return count
}

/** The number of first items of different users: two calls for one user keep their order. */
export function cutUsers(waiting: readonly Item[]): number {
  const seen = new Set<string>()
  for (const { subject } of waiting) {
    if (seen.size >= USERS_MAX || seen.has(subject)) break
    seen.add(subject)
  }
  return seen.size
}

/** A quarter of the service's default limit. */
const BODY_BYTES_MAX = 2 * 1024 * 1024
/** Requests of identify at a time. */
const USERS_MAX = 16

const EVENTS_PATH = '/sdk.events.v1.EventsService/BatchCreate'
const IDENTIFY_PATH = '/sdk.profiles.v1.ProfilesSDKService/Identify'
const NOTHING_LEFT: Delivery = { left: [], retryAfterMs: 0 }

/** Creates the deliveries over a transport. */
export function createDeliveries(transport: Transport, report: Report): Deliveries {
  let sent = 0
  let unwanted = 0
  let retries = 0

  const reject = ({ name }: Item, message: string): Delivery => {
    report.error('rejected', `the service refused the ${name}: ${message}`, { lost: 1 })
    return NOTHING_LEFT
  }
  const retry = (left: readonly Item[], answer: Answer & { readonly kind: 'failed' }): Delivery => {
    retries++
    report.error(answer.reason, `${answer.message}; ${left.length} will be sent again`, {
      cause: answer.cause,
    })
    return { left, retryAfterMs: answer.retryAfterMs }
  }
  const postEvents = async (batch: readonly Item[]): Promise<Answer> => {
    const answer = await transport.post(EVENTS_PATH, `{"events":[${batch.map(({ text }) => text).join()}]}`)
    if (answer.kind !== 'accepted') return answer
    const dropped = Number(answer.body.dropped ?? 0)
    if (Number(answer.body.accepted ?? 0) + dropped !== batch.length) {
      return {
        kind: 'failed',
        reason: 'unavailable',
        message: 'the answer is not one of Millrace',
        retryAfterMs: 0,
      }
    }
    sent += batch.length
    unwanted += dropped
    return answer
  }
  /** The parts one after the other; what follows a failure waits with it. */
  const inTurn = async (first: readonly Item[], second: readonly Item[]): Promise<Delivery> => {
    const { left, retryAfterMs } = await events(first)
    return left.length > 0 ? { left: [...left, ...second], retryAfterMs } : await events(second)
  }
  const events = async (batch: readonly Item[]): Promise<Delivery> => {
    const [only] = batch
    if (only === undefined) return NOTHING_LEFT
    const answer = await postEvents(batch)
    if (answer.kind === 'accepted') return NOTHING_LEFT
    if (answer.kind === 'failed') return retry(batch, answer)
    if (batch.length === 1) return reject(only, answer.message)
    const { index = -1 } = answer
    const named = batch[index]
    if (named) {
      reject(named, answer.message)
      return await events(batch.filter((item) => item !== named))
    }
    const middle = batch.length >> 1
    return await inTurn(batch.slice(0, middle), batch.slice(middle))
  }
  const users = async (batch: readonly Item[]): Promise<Delivery> => {
    const answers = await Promise.all(batch.map(({ text }) => transport.post(IDENTIFY_PATH, text)))
    const left: Item[] = []
    let failed: (Answer & { readonly kind: 'failed' }) | undefined
    for (const [index, item] of batch.entries()) {
      const answer = answers[index]
      if (answer?.kind === 'accepted') sent++
      else if (answer?.kind === 'refused') reject(item, answer.message)
      else if (answer) {
        left.push(item)
        if (answer.retryAfterMs >= (failed?.retryAfterMs ?? 0)) failed = answer
      }
    }
    return failed ? retry(left, failed) : NOTHING_LEFT
  }
  return { events, users, counts: () => ({ sent, unwanted, retries }) }
}
