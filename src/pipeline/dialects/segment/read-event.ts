import { checkDistinctId, checkOccurTime } from '../../event/event-rules.ts'
import type { PlainEvent } from '../../event/plain-properties.ts'
import type { ForeignChange, ForeignItem } from '../foreign/foreign-batch.ts'
import { sessionIdOf } from '../foreign/foreign-ids.ts'
import { readInstant } from '../foreign/foreign-instant.ts'
import { NAME_PROPERTY, readKind } from '../foreign/foreign-kind.ts'
import { ForeignProperties, noteSkew } from '../foreign/foreign-properties.ts'
import { fieldOf, isObject, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { addContext, addCorrect, isOnDevice, mergeContext, readClient } from './read-context.ts'
import { readIdentification } from './read-identification.ts'
import { PAGE_PROPERTIES, SEGMENT_NAMES } from './segment-names.ts'

/** Facts of a request that its events share. */
export interface SegmentRequest {
  /** The key that messages may repeat; `undefined` for those of an archive, which have passed Segment. */
  readonly key: string | undefined
  readonly receivedMs: number
  /** How far the clock of the client is ahead, in milliseconds; `undefined` while it is about right. */
  readonly skewMs: number | undefined
  /** The type that the path names, for an event without one; `undefined` in a batch. */
  readonly type: string | undefined
  /** The context of a batch. */
  readonly context: SourceObject
}

/** An event whose type, ids and context are known. */
interface EventParts {
  readonly record: SourceObject
  readonly id: string | undefined
  readonly type: 'track' | 'page' | 'screen'
  readonly name: string | undefined
  readonly distinctId: string
  readonly context: SourceObject
  readonly request: SegmentRequest
  readonly changes: ForeignChange[]
}

/** Reads a message as the SDKs of Segment and RudderStack send it, and as their archives contain it. */
export function readSegmentEvent(record: unknown, request: SegmentRequest): ForeignItem {
  if (!isObject(record)) return { id: undefined, dropped: 'not_an_object' }
  const id = textOf(fieldOf(record, 'messageId'))
  const drop = (dropped: NonNullable<ForeignItem['dropped']>): ForeignItem => ({ id, dropped })
  const key = textOf(fieldOf(record, 'writeKey'))
  if (key !== undefined && request.key !== undefined && key !== request.key) return drop('other_key')
  const type = textOf(fieldOf(record, 'type')) ?? request.type
  if (type === 'group') return drop('groups_not_supported')
  if (type !== 'identify' && type !== 'alias' && type !== 'track' && type !== 'page' && type !== 'screen')
    return drop('unknown_type')
  const distinctId = textOf(fieldOf(record, 'userId')) ?? textOf(fieldOf(record, 'anonymousId'))
  if (distinctId === undefined) return drop('no_distinct_id')
  if (checkDistinctId(distinctId) !== undefined) return drop('invalid_distinct_id')
  const context = mergeContext(request.context, objectOf(fieldOf(record, 'context')))
  const { identification, isTraitLeftOut } = readIdentification({ record, type, context })
  const changes: ForeignChange[] = isTraitLeftOut ? ['trait_left_out'] : []
  if (type === 'identify') return { id, identification, changes }
  if (type === 'alias') return identification ? { id, identification, changes } : drop('no_distinct_id')
  const name = type === 'track' ? textOf(fieldOf(record, 'event')) : nameOf(record)
  if (type === 'track' && name === undefined) return drop('no_name')
  const event = readEvent({ record, id, type, name, distinctId, context, request, changes })
  const device = deviceOf(record, context)
  return { id, event, client: readClient(record, context), device, identification, changes }
}

function readEvent({
  record,
  id,
  type,
  name,
  distinctId,
  context,
  request,
  changes,
}: EventParts): PlainEvent {
  const { kind, isRenamed } = kindOf(type, name)
  const { eventId, timeMs, isReplaced } = readInstant({
    source: 'segment',
    record,
    id,
    sent: timeOf(record),
    otherMs: () => timeInId(id) ?? request.receivedMs,
  })
  if (isReplaced) changes.push('time_replaced')
  const sent = objectOf(fieldOf(record, 'properties'))
  const properties = new ForeignProperties(SEGMENT_NAMES)
  addContext(properties, context)
  if (type === 'track') properties.addAll(sent)
  else {
    if (name !== undefined) properties.add(type === 'screen' ? 'screen_name' : 'name', name)
    // SDKs of servers have the category beside the properties.
    const category = textOf(fieldOf(record, 'category'))
    if (category !== undefined) properties.add('category', category)
    addPage(properties, sent)
  }
  if (isRenamed && fieldOf(sent, NAME_PROPERTY) === undefined) properties.add(NAME_PROPERTY, name)
  const session = textOf(fieldOf(context, 'sessionId'))
  return {
    eventId,
    kind,
    timeMs,
    distinctId,
    sessionId: sessionIdOf('segment', session, textOf(fieldOf(record, 'anonymousId'))),
    cookieless: false,
    properties: noteSkew(properties.fit(changes), request.skewMs, changes),
  }
}

/** The device of an event whose library has no sessions of its own. */
function deviceOf(record: SourceObject, context: SourceObject): string | undefined {
  const device = textOf(fieldOf(record, 'anonymousId'))
  const hasSession = textOf(fieldOf(context, 'sessionId')) !== undefined
  return hasSession || !isOnDevice(record, context) ? undefined : device
}

function kindOf(type: EventParts['type'], name = ''): ReturnType<typeof readKind> {
  if (type === 'track') return readKind(name, SEGMENT_NAMES.kinds)
  return { kind: type === 'page' ? 'page_view' : 'screen_view', isRenamed: false }
}

/** Pages and screens have a name as a property of their own. */
function nameOf(record: SourceObject): string | undefined {
  return textOf(fieldOf(record, 'name')) ?? textOf(fieldOf(objectOf(fieldOf(record, 'properties')), 'name'))
}

function addPage(properties: ForeignProperties, sent: SourceObject): void {
  for (const name in sent) addCorrect(properties, PAGE_PROPERTIES.get(name) ?? name, sent[name])
}

/** The time of the client. In archives `timestamp` is corrected by the clock of the service, and the original is beside it. */
function timeOf(record: SourceObject): unknown {
  const original = fieldOf(record, 'originalTimestamp')
  const timestamp = fieldOf(record, 'timestamp')
  const isArchived = fieldOf(record, 'receivedAt') !== undefined
  return isArchived ? (original ?? timestamp) : (timestamp ?? original)
}

/** The time in an id of Segment's JavaScript libraries: `ajs-next-1795355895814-…`. */
function timeInId(id: string | undefined): number | undefined {
  const [, digits] = /-(\d{13})-/.exec(id ?? '') ?? []
  const timeMs = Number(digits)
  return digits !== undefined && checkOccurTime(timeMs) === undefined ? timeMs : undefined
}
