import type { ServiceError } from '../../../contract/service-error.ts'
import { ok, type Result } from '../../../kernel/result.ts'
import { checkDistinctId } from '../../event/event-rules.ts'
import { canonicalAddress } from '../../identity/client-address.ts'
import type {
  ForeignBatch,
  ForeignClient,
  ForeignIdentification,
  ForeignItem,
  ForeignRequest,
} from '../foreign/foreign-batch.ts'
import { readTraits } from '../foreign/foreign-traits.ts'
import { fieldOf, isObject, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { readItems } from '../foreign/read-items.ts'
import { parseForeignJson } from '../foreign/unwrap-body.ts'
import { readGa4Event, readRequestFields } from './read-event.ts'

/** The forms of GA4's requests: events, or events that are only checked. */
export type Ga4Form = 'collect' | 'debug'

/** Reads a request: the events of one user. */
export function readGa4Request(
  body: Uint8Array,
  request: ForeignRequest,
): Result<ForeignBatch, ServiceError> {
  const parsed = parseForeignJson(body)
  if (!parsed.ok) return parsed
  const root = objectOf(parsed.value)
  const list = fieldOf(root, 'events')
  const events: readonly unknown[] = Array.isArray(list) ? list : []
  const receivedMs = Math.trunc(request.receivedMicros / 1000)
  const client = readClient(root)
  const shared = readRequestFields(root)
  const person = readGa4Person(root)
  const items = readItems(events, (event, index) => {
    const item = readGa4Event(event, { root, shared, index, receivedMs })
    return { id: String(index), client, ...item }
  })
  if (!items.ok) return items
  const told: readonly ForeignItem[] = person ? [{ id: undefined, ...person }] : []
  const all = [...told, ...items.value]
  const isCheckOnly = request.form === 'debug'
  const records = person ? [parsed.value, ...events] : events
  return ok({ key: undefined, items: isCheckOnly ? all.map(withoutEffect) : all, records, isCheckOnly })
}

function withoutEffect({ id, dropped, changes = [] }: ForeignItem): ForeignItem {
  return { id, changes, ...(dropped === undefined ? {} : { dropped }) }
}

/** A user id joins the id of the browser or the app; only an identified user has properties. */
export function readGa4Person(root: SourceObject): Omit<ForeignItem, 'id'> | undefined {
  const externalId = textOf(fieldOf(root, 'user_id'))
  const sent = Object.entries(objectOf(fieldOf(root, 'user_properties'))).map(([name, property]) => [
    name,
    isObject(property) ? fieldOf(property, 'value') : property,
  ])
  if (externalId === undefined) return sent.length > 0 ? { changes: ['trait_left_out'] } : undefined
  if (checkDistinctId(externalId) !== undefined) return undefined
  const anonymousId = textOf(fieldOf(root, 'client_id')) ?? textOf(fieldOf(root, 'app_instance_id'))
  const isClaim =
    anonymousId !== undefined && anonymousId !== externalId && checkDistinctId(anonymousId) === undefined
  const { traits, leftOut } = readTraits(Object.fromEntries(sent))
  if (!isClaim && sent.length === 0) return undefined
  const identification: ForeignIdentification = {
    isImplied: sent.length === 0,
    externalId,
    anonymousId: isClaim ? anonymousId : '',
    traits,
    traitsOnce: new Map(),
    removedTraits: [],
  }
  return { identification, changes: leftOut > 0 ? ['trait_left_out'] : [] }
}

/** Requests are from servers, so that only what they name counts. */
function readClient(root: SourceObject): ForeignClient {
  const ip = textOf(fieldOf(root, 'ip_override'))
  return {
    place: { address: ip === undefined ? undefined : canonicalAddress(ip) },
    agent: { userAgent: textOf(fieldOf(root, 'user_agent')) },
  }
}
