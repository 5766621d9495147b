import { isUtf8 } from 'node:buffer'
import { fromBinary, fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf'
import {
  type IdentifyRequest,
  IdentifyRequestSchema,
} from '../../contract/gen/sdk/profiles/v1/profiles_sdk_service_pb.js'
import { MessageRules } from '../../contract/message-rules.ts'
import type { FieldViolation } from '../../contract/service-error.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { err, ok, type Result } from '../../kernel/result.ts'
import { findBinaryExcess } from '../../rpc/binary-bounds.ts'
import { checkProtoJson } from '../../rpc/check-proto-json.ts'
import type { Codec } from '../../rpc/content-type.ts'
import { findJsonExcess } from '../../rpc/json-bounds.ts'
import { MESSAGE_BOUNDS } from '../../rpc/message-bounds.ts'

/** A parsed Identify call. */
export interface Identification {
  readonly externalId: string
  /** Empty when there is no activity to merge. */
  readonly anonymousId: string
  /** Empty when there is no device to attach. */
  readonly deviceId: string
  /** Values as JSON text, by trait. */
  readonly traits: ReadonlyMap<string, string>
  /** The same of traits that are set only where no call has set or removed them. */
  readonly traitsOnce: ReadonlyMap<string, string>
  readonly removedTraits: readonly string[]
  /** Whether an event only has both ids: such a claim does not restore a deleted profile. */
  readonly isImplied?: boolean
}

type Parsed<T> = Result<T, FieldViolation>

/** The smallest item of traits takes two bytes of JSON text; in protobuf it is a message with one field. */
const BOUNDS = {
  ...MESSAGE_BOUNDS,
  objectsMax: LIMITS.traitBytesMax / 2 + LIMITS.traitsMax * 4,
  elementsMax: LIMITS.traitBytesMax + LIMITS.traitsMax * 4,
}

const rules = new MessageRules()

/** Parses and validates the message of an `Identify` call. */
export function parseIdentify(codec: Codec, message: Uint8Array): Parsed<Identification> {
  const request = codec === 'json' ? readJson(message) : readBinary(message)
  if (!request.ok) return request
  const [violation] = rules.check(IdentifyRequestSchema, request.value)
  if (violation) return err(violation)
  const { externalId, anonymousId, previousId, deviceId } = request.value
  for (const [field, id] of Object.entries({ externalId, previousId })) {
    if (codePoints(id) > LIMITS.distinctIdCodePointsMax)
      return invalid(field, `must have at most ${LIMITS.distinctIdCodePointsMax} code points`)
  }
  if (anonymousId !== '' && previousId !== '')
    return invalid('previousId', 'must be empty when anonymousId is set')
  const operations = readOperations(request.value)
  if (!operations.ok) return operations
  return ok({ externalId, anonymousId: anonymousId || previousId, deviceId, ...operations.value })
}

type Operations = Pick<Identification, 'traits' | 'traitsOnce' | 'removedTraits'>

function readOperations({
  traits = {},
  traitsOnce = {},
  removedTraits,
}: IdentifyRequest): Parsed<Operations> {
  const set = writeTraits(traits, 'traits')
  if (!set.ok) return set
  const once = writeTraits(traitsOnce, 'traitsOnce')
  if (!once.ok) return once
  const wrong = removedTraits.map(checkName).find((description) => description !== undefined)
  if (wrong !== undefined) return invalid('removedTraits', wrong)
  const removed = new Set(removedTraits)
  const texts = [...set.value.values(), ...once.value.values()]
  const field = once.value.size > 0 ? 'traitsOnce' : 'traits'
  if (texts.length + removed.size > LIMITS.traitsMax) {
    return invalid(removed.size > 0 ? 'removedTraits' : field, `must have at most ${LIMITS.traitsMax} names`)
  }
  if (texts.reduce((bytes, text) => bytes + text.length, 0) > LIMITS.traitBytesMax) {
    return invalid(field, `must have at most ${LIMITS.traitBytesMax} bytes of JSON text`)
  }
  return ok({ traits: set.value, traitsOnce: once.value, removedTraits: [...removed] })
}

function readJson(message: Uint8Array): Parsed<IdentifyRequest> {
  if (!isUtf8(message)) return invalid('', 'must be valid UTF-8')
  const excess = findJsonExcess(message, BOUNDS)
  if (excess !== undefined) return invalid('', excess)
  const json = parseJson(Buffer.from(message.buffer, message.byteOffset, message.length).toString('utf8'))
  if (json === undefined) return invalid('', 'must be valid JSON')
  const violation = checkProtoJson(IdentifyRequestSchema, json)
  if (violation) return err(violation)
  try {
    return ok(fromJson(IdentifyRequestSchema, json, { ignoreUnknownFields: true }))
  } catch (error) {
    return invalid('', `is not an IdentifyRequest: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readBinary(message: Uint8Array): Parsed<IdentifyRequest> {
  const excess = findBinaryExcess(IdentifyRequestSchema, message, BOUNDS)
  if (excess !== undefined) return invalid('', excess)
  try {
    return ok(fromBinary(IdentifyRequestSchema, message, { readUnknownFields: false }))
  } catch {
    return invalid('', 'must be a valid protobuf message')
  }
}

function writeTraits(
  traits: JsonObject,
  field: 'traits' | 'traitsOnce',
): Parsed<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const [key, value] of Object.entries(traits)) {
    const wrong = checkName(key)
    if (wrong !== undefined) return invalid(field, wrong)
    if (!isFiniteJson(value)) return invalid(`${field}.${key}`, 'must be finite')
    texts.set(key, JSON.stringify(value))
  }
  return ok(texts)
}

function checkName(key: string): string | undefined {
  if (key === '') return 'must not have an empty name'
  return codePoints(key) > LIMITS.propertyKeyCodePointsMax
    ? `must have names of at most ${LIMITS.propertyKeyCodePointsMax} code points`
    : undefined
}

/** Protobuf numbers may be NaN or infinite, which JSON text cannot express. */
function isFiniteJson(value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isFiniteJson)
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function invalid(field: string, description: string): Parsed<never> {
  return err({ field, description })
}
