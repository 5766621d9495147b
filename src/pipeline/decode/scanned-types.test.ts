import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import {
  PROPERTY_TYPE_NAMES,
  PROPERTY_TYPES,
  type PropertyType,
  type PropertyValue,
} from '../../contract/property-types.ts'
import { EventColumns } from '../encode/event-columns.ts'
import { BinaryScanner } from './binary-scanner.ts'
import { JsonScanner } from './json-scanner.ts'

/** The scanners and the columns repeat the table of property types as constants: here they are compared. */

interface Sample {
  readonly value: PropertyValue
  readonly json: string
  readonly write: (writer: BinaryWriter, fieldNumber: number) => BinaryWriter
}

const ID = '0192d1c4-0000-7000-8000-000000000001'
const TIME = '2026-01-02T03:04:05.678Z'
const timeMs = Date.parse(TIME)

const SAMPLES = {
  string: {
    value: { type: 'string', value: 'x' },
    json: '"x"',
    write: (writer, number) => writer.tag(number, WireType.LengthDelimited).string('x'),
  },
  int: {
    value: { type: 'int', value: -7n },
    json: '"-7"',
    write: (writer, number) => writer.tag(number, WireType.Varint).int64(-7),
  },
  double: {
    value: { type: 'double', value: 1.5 },
    json: '1.5',
    write: (writer, number) => writer.tag(number, WireType.Bit64).double(1.5),
  },
  bool: {
    value: { type: 'bool', value: true },
    json: 'true',
    write: (writer, number) => writer.tag(number, WireType.Varint).bool(true),
  },
  time: {
    value: { type: 'time', value: timeMs },
    json: `"${TIME}"`,
    write: (writer, number) => writeTime(writer.tag(number, WireType.LengthDelimited)),
  },
} as const satisfies Record<PropertyType, Sample>

function writeTime(writer: BinaryWriter): BinaryWriter {
  const seconds = Math.floor(timeMs / 1000)
  const nanos = (timeMs % 1000) * 1_000_000
  return writer.fork().tag(1, WireType.Varint).int64(seconds).tag(2, WireType.Varint).int32(nanos).join()
}

function binaryBody(type: PropertyType): Uint8Array {
  const text = (writer: BinaryWriter, number: number, value: string): BinaryWriter =>
    writer.tag(number, WireType.LengthDelimited).string(value)
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).fork()
  text(text(text(text(writer, 1, ID), 4, 'u'), 5, 'k'), 7, ID)
  writeTime(writer.tag(6, WireType.LengthDelimited))
  const entry = text(writer.tag(3, WireType.LengthDelimited).fork(), 1, 'key')
  const value = entry.tag(2, WireType.LengthDelimited).fork()
  SAMPLES[type].write(value, PROPERTY_TYPES[type].fieldNumber)
  return writer.join().join().join().finish()
}

function jsonBody(type: PropertyType, field: string): Uint8Array {
  const value = `{"${field}":${SAMPLES[type].json}}`
  const ids = `"eventId":"${ID}","sessionId":"${ID}","distinctId":"u"`
  return Buffer.from(
    `{"events":[{${ids},"kind":"k","occurTime":"${TIME}","customProperties":{"key":${value}}}]}`,
  )
}

const CASES = PROPERTY_TYPE_NAMES.flatMap((type) => {
  const { jsonField, protoField } = PROPERTY_TYPES[type]
  return [
    { type, form: 'protobuf', body: binaryBody(type) },
    { type, form: jsonField, body: jsonBody(type, jsonField) },
    { type, form: protoField, body: jsonBody(type, protoField) },
  ]
})

test.each(CASES)('a value of type $type is scanned as $form into its map column', ({ type, form, body }) => {
  const columns = new EventColumns()
  columns.properties.source.load(body)
  const scanner = form === 'protobuf' ? new BinaryScanner(columns) : new JsonScanner(columns)
  let value: PropertyValue | undefined
  const finishRow = (row: EventColumns): void => {
    value = row.property('key')
  }
  expect(scanner.scan(body.length, { projectId: asProjectId(1), requestIndex: 0, finishRow })).toBe(1)
  expect(value).toEqual(SAMPLES[type].value)
  const filled = columns.properties.maps.map(({ keys }) => keys.length > 0)
  expect(filled).toEqual(PROPERTY_TYPE_NAMES.map((name) => name === type))
})
