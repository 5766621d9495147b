import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type JsonValue,
  ScalarType,
} from '@bufbuild/protobuf'
import type { FieldViolation } from '../contract/service-error.ts'

/** Levels of nested messages; protobuf-es has the same limit. */
const DEPTH_MAX = 100

/** A broken rule with its path, outermost part first; `undefined` when none is broken. */
type Finding = { readonly path: readonly (string | number)[]; readonly description: string } | undefined

/**
 * Finds the first value that breaks a rule of this interface which protobuf-es does not check: a time that is not in the
 * calendar, an integer that is unsafe as a JSON number or not in decimal digits, an unknown name of an enum value, a string
 * with a lone surrogate. Unknown fields and wrong JSON types are left to protobuf-es.
 */
export function checkProtoJson(schema: DescMessage, json: JsonValue): FieldViolation | undefined {
  const finding = checkMessage(schema, json, 0)
  return finding && { field: printJsonPath(finding.path), description: finding.description }
}

function checkMessage(schema: DescMessage, json: JsonValue, depth: number): Finding {
  if (depth > DEPTH_MAX) return found('is nested too deeply')
  const checkKnown = WELL_KNOWN[schema.typeName]
  if (checkKnown !== undefined) return checkKnown(schema, json, depth)
  if (!isObject(json)) return undefined
  const fields = fieldsByName(schema)
  for (const name in json) {
    const field = fields.get(name)
    const value = json[name]
    if (field === undefined || value === undefined || value === null) continue
    const finding = checkField(field, value, depth)
    if (finding !== undefined) return at(field.jsonName, finding)
  }
  return undefined
}

function checkField(field: DescField, json: JsonValue, depth: number): Finding {
  if (field.fieldKind === 'list') return checkList(field, json, depth)
  if (field.fieldKind === 'map') return checkMap(field, json, depth)
  return checkSingle(field, json, depth)
}

function checkList(field: DescField & { fieldKind: 'list' }, json: JsonValue, depth: number): Finding {
  if (!Array.isArray(json)) return undefined
  for (const [index, element] of json.entries()) {
    const finding = checkSingle(field, element, depth)
    if (finding !== undefined) return at(index, finding)
  }
  return undefined
}

function checkMap(field: DescField & { fieldKind: 'map' }, json: JsonValue, depth: number): Finding {
  if (!isObject(json)) return undefined
  for (const key in json) {
    const value = json[key]
    if (value === undefined) continue
    const finding = checkMapKey(field.mapKey, key) ?? checkSingle(field, value, depth)
    if (finding !== undefined) return at(key, finding)
  }
  return undefined
}

function checkMapKey(type: ScalarType, key: string): Finding {
  return type === ScalarType.BOOL ? undefined : checkScalar(type, key)
}

/** A single value: of a field, an element of a list, or a value of a map. */
function checkSingle(
  field: {
    readonly message: DescMessage | undefined
    readonly enum: DescEnum | undefined
    readonly scalar: ScalarType | undefined
  },
  json: JsonValue,
  depth: number,
): Finding {
  if (field.message !== undefined) return checkMessage(field.message, json, depth + 1)
  if (field.enum !== undefined) return checkEnum(field.enum, json)
  return field.scalar === undefined ? undefined : checkScalar(field.scalar, json)
}

function checkEnum(schema: DescEnum, json: JsonValue): Finding {
  if (typeof json !== 'string' || schema.values.some((value) => value.name === json)) return undefined
  return found(`is not the name of a value of ${schema.name}`)
}

function checkScalar(type: ScalarType, json: JsonValue): Finding {
  switch (type) {
    case ScalarType.STRING:
      return typeof json === 'string' ? checkString(json) : undefined
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return typeof json === 'string' && !isNumberText(json) ? found('is not a number') : undefined
    case ScalarType.BOOL:
    case ScalarType.BYTES:
      return undefined
    default:
      return checkInteger(json)
  }
}

function checkInteger(json: JsonValue): Finding {
  if (typeof json === 'string') return isWholeNumberText(json) ? undefined : found('is not a whole number')
  if (typeof json !== 'number' || Number.isSafeInteger(json)) return undefined
  return found('is not a whole number that JSON numbers hold exactly; send it as a string')
}

function checkString(text: string): Finding {
  return text.isWellFormed() ? undefined : found('has a lone surrogate')
}

type CheckMessage = (schema: DescMessage, json: JsonValue, depth: number) => Finding

/** Messages with a JSON form of their own. */
const WELL_KNOWN: Readonly<Record<string, CheckMessage>> = {
  'google.protobuf.Timestamp': checkText(isTimeText, 'is not an RFC 3339 time'),
  'google.protobuf.Duration': checkText(isDurationText, 'is not a duration such as 1.5s'),
  'google.protobuf.Struct': checkAnything,
  'google.protobuf.Value': checkAnything,
  'google.protobuf.ListValue': checkAnything,
  'google.protobuf.Any': () => undefined,
  'google.protobuf.FieldMask': () => undefined,
  'google.protobuf.BoolValue': checkWrapper,
  'google.protobuf.BytesValue': checkWrapper,
  'google.protobuf.DoubleValue': checkWrapper,
  'google.protobuf.FloatValue': checkWrapper,
  'google.protobuf.Int32Value': checkWrapper,
  'google.protobuf.Int64Value': checkWrapper,
  'google.protobuf.StringValue': checkWrapper,
  'google.protobuf.UInt32Value': checkWrapper,
  'google.protobuf.UInt64Value': checkWrapper,
}

function checkText(isValid: (text: string) => boolean, description: string): CheckMessage {
  return (_schema, json) => (typeof json === 'string' && !isValid(json) ? found(description) : undefined)
}

function checkWrapper(schema: DescMessage, json: JsonValue, depth: number): Finding {
  const [value] = schema.fields
  return value === undefined ? undefined : checkField(value, json, depth)
}

/** Any JSON, as a google.protobuf.Value holds it: only its strings have a rule. */
function checkAnything(_schema: DescMessage, json: JsonValue, depth: number): Finding {
  if (depth > DEPTH_MAX) return found('is nested too deeply')
  if (typeof json === 'string') return checkString(json)
  if (json === null || typeof json !== 'object') return undefined
  for (const [key, value] of Object.entries(json)) {
    const finding = checkString(key) ?? checkAnything(_schema, value, depth + 1)
    if (finding !== undefined) return at(Array.isArray(json) ? Number(key) : key, finding)
  }
  return undefined
}

const FIELDS = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>()

/** The fields of a message by both of their names in JSON. */
function fieldsByName(schema: DescMessage): ReadonlyMap<string, DescField> {
  const known = FIELDS.get(schema)
  if (known !== undefined) return known
  const fields = new Map(
    schema.fields.flatMap((field): [string, DescField][] => [
      [field.name, field],
      [field.jsonName, field],
    ]),
  )
  FIELDS.set(schema, fields)
  return fields
}

function isObject(json: JsonValue): json is { [name: string]: JsonValue } {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function found(description: string): Finding {
  return { path: [], description }
}

function at(element: string | number, finding: NonNullable<Finding>): Finding {
  return { path: [element, ...finding.path], description: finding.description }
}

function printJsonPath(path: readonly (string | number)[]): string {
  let text = ''
  for (const element of path) {
    if (typeof element === 'number') text += `[${element}]`
    else text += text === '' ? element : `.${element}`
  }
  return text
}

const WHOLE_NUMBER = /^-?(0|[1-9]\d*)$/
const DECIMAL_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const DURATION = /^-?\d{1,12}(\.\d{1,9})?s$/
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** True for the decimal digits of a whole number: no sign but minus, no leading zeros, no other base. */
function isWholeNumberText(text: string): boolean {
  return WHOLE_NUMBER.test(text)
}

/** True for a number in JSON syntax, and for the three names that proto JSON adds. */
function isNumberText(text: string): boolean {
  return DECIMAL_NUMBER.test(text) || text === 'NaN' || text === 'Infinity' || text === '-Infinity'
}

/** True for a google.protobuf.Duration in JSON, such as `1.5s`. */
export function isDurationText(text: string): boolean {
  return DURATION.test(text)
}

/** True for an RFC 3339 time that exists in the calendar, with a zone; a leap second does not. */
export function isTimeText(text: string): boolean {
  const [, year, month, day, hour, minute, second] = (TIME.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  if (day < 1 || day > daysOfMonth(year, month)) return false
  return (hour ?? 24) <= 23 && (minute ?? 60) <= 59 && (second ?? 60) <= 59
}

function daysOfMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeapYear ? 29 : (DAYS_OF_MONTH[month - 1] ?? 0)
}
