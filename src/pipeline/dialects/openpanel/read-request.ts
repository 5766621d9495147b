import type { ServiceError } from '../../../contract/service-error.ts'
import { ok, type Result } from '../../../kernel/result.ts'
import { checkDistinctId } from '../../event/event-rules.ts'
import type {
  ForeignBatch,
  ForeignIdentification,
  ForeignItem,
  ForeignRequest,
} from '../foreign/foreign-batch.ts'
import { readTraits } from '../foreign/foreign-traits.ts'
import { fieldOf, isObject, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { parseForeignJson } from '../foreign/unwrap-body.ts'
import { isInternal, readOpenpanelEvent } from './read-event.ts'

/** Names under which answers list what a request has. */
const ONLY = 'event'

/** The beginning of a part of a recording. It has a text that is longer than one may be, and is dropped without being parsed. */
const REPLAY = Buffer.from('{"type":"replay"')

/** Reads a request: an event, or what is known of a user. */
export function readOpenpanelRequest(
  body: Uint8Array,
  request: ForeignRequest,
): Result<ForeignBatch, ServiceError> {
  if (REPLAY.equals(body.subarray(0, REPLAY.length)))
    return ok({ key: undefined, items: [{ id: ONLY, dropped: 'recordings_not_supported' }] })
  const parsed = parseForeignJson(body)
  if (!parsed.ok) return parsed
  const items = [{ id: ONLY, ...readItem(parsed.value, request) }]
  return ok({ key: undefined, items, records: [parsed.value] })
}

function readItem(record: unknown, request: ForeignRequest): Omit<ForeignItem, 'id'> {
  if (!isObject(record)) return { dropped: 'not_an_object' }
  const payload = fieldOf(record, 'payload')
  if (!isObject(payload)) return { dropped: 'not_an_object' }
  switch (textOf(fieldOf(record, 'type'))) {
    case 'track':
      return readTrack(payload, request)
    case 'identify':
      return readIdentify(payload)
    // Their result depends on the value before.
    case 'increment':
    case 'decrement':
      return { changes: ['operation_not_supported'] }
    case 'group':
    case 'assign_group':
      return { dropped: 'groups_not_supported' }
    case 'replay':
      return { dropped: 'recordings_not_supported' }
    default:
      return { dropped: 'unknown_type' }
  }
}

/** A user with a device joins the two. An event may have what is known of its user in its properties. */
function readTrack(payload: SourceObject, request: ForeignRequest): Omit<ForeignItem, 'id'> {
  const properties = objectOf(fieldOf(payload, 'properties'))
  const known = objectOf(fieldOf(properties, '__identify'))
  const user = textOf(fieldOf(known, 'profileId')) ?? textOf(fieldOf(payload, 'profileId'))
  const device = textOf(fieldOf(properties, '__deviceId'))
  const distinctId = user ?? device
  if (distinctId !== undefined && checkDistinctId(distinctId) !== undefined)
    return { dropped: 'invalid_distinct_id' }
  const item = readOpenpanelEvent(payload, { properties, distinctId, device, request })
  if (item.event === undefined || user === undefined) return item
  const claimed =
    device !== undefined && device !== user && checkDistinctId(device) === undefined ? device : ''
  const { identification, changes = [] } = readPerson(known, { externalId: user, anonymousId: claimed })
  return { ...item, identification, changes: [...(item.changes ?? []), ...changes] }
}

function readIdentify(payload: SourceObject): Omit<ForeignItem, 'id'> {
  const externalId = textOf(fieldOf(payload, 'profileId'))
  if (externalId === undefined) return { dropped: 'no_distinct_id' }
  if (checkDistinctId(externalId) !== undefined) return { dropped: 'invalid_distinct_id' }
  return readPerson(payload, { externalId, anonymousId: '' })
}

/** Traits beside those that a caller chooses. */
const TRAITS = ['firstName', 'lastName', 'email', 'avatar'] as const

/** The SDK adds the global properties of events, of which some are its own. */
function readPerson(
  source: SourceObject,
  ids: Pick<ForeignIdentification, 'externalId' | 'anonymousId'>,
): Pick<ForeignItem, 'identification' | 'changes'> {
  const chosen = Object.entries(objectOf(fieldOf(source, 'properties')))
  const named = TRAITS.map((name): [string, unknown] => [name, fieldOf(source, name)])
  const sent = [...chosen, ...named].filter(([name, value]) => value !== undefined && !isInternal(name))
  if (sent.length === 0 && ids.anonymousId === '') return { identification: undefined, changes: [] }
  const { traits, leftOut } = readTraits(Object.fromEntries(sent))
  return {
    identification: {
      isImplied: sent.length === 0,
      ...ids,
      traits,
      traitsOnce: new Map(),
      removedTraits: [],
    },
    changes: leftOut > 0 ? ['trait_left_out'] : [],
  }
}
