import { FieldRulesSchema } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { describe, expect, test } from 'vitest'
import { PropertyFilterSchema } from '../../../contract/gen/common/v1/filter_pb.js'
import { GetFilterSchemaRequestSchema } from '../../../contract/gen/common/v1/filter_schema_pb.js'
import { PropertyValueSchema } from '../../../contract/gen/common/v1/property_pb.js'
import { ListRequestSchema } from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import {
  ActivityEventSchema,
  HeatmapDaySchema,
} from '../../../contract/gen/shared/activity/v1/activity_pb.js'
import { GetActivityFeedRequestSchema } from '../../../contract/gen/shared/activity/v1/activity_service_pb.js'
import {
  GetPropertyValuesRequestSchema,
  QueryRequestSchema,
  QueryResponseSchema,
} from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import {
  DataPointSchema,
  TrendSeriesSchema,
} from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import { TopKQuerySchema } from '../../../contract/gen/shared/insights/v1/top_k_query_pb.js'
import { UserFlowQuerySchema } from '../../../contract/gen/shared/insights/v1/user_flow_query_pb.js'
import {
  GetDeletionRequestResponseSchema,
  ListRequestSchema as ListProfilesSchema,
} from '../../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { deriveSchema, type JsonSchema } from './json-schema.ts'
import { findTypes } from './shared-types.ts'

const ajv = new AjvJsonSchemaValidator()

function takes(schema: JsonSchema, json: unknown): boolean {
  return ajv.getValidator(schema)(json).valid
}

function propertyOf(schema: JsonSchema, name: string): JsonSchema {
  return (schema.properties as Record<string, JsonSchema>)[name] ?? {}
}

describe('the schema of a request', () => {
  test.each([
    ['a list has the rules of its elements', GetFilterSchemaRequestSchema, 'allowedTypes', { type: 'array' }],
    ['a number has its bounds', GetActivityFeedRequestSchema, 'pageSize', { minimum: 0, maximum: 1000 }],
    ['a list has its bounds', GetActivityFeedRequestSchema, 'propertyFilters', { maxItems: 20 }],
    ['a required text is not empty', GetActivityFeedRequestSchema, 'distinctId', { minLength: 1 }],
    [
      'a text that may be left out may be empty',
      GetActivityFeedRequestSchema,
      'sessionId',
      { anyOf: [{ const: '' }, { format: 'uuid' }] },
    ],
    [
      'a number that may be left out may be zero',
      UserFlowQuerySchema,
      'maxNodes',
      { anyOf: [{ const: 0 }, { minimum: 2, maximum: 50 }] },
    ],
    ['a text has a longest length', PropertyValueSchema, 'stringValue', { maxLength: 1024 }],
    [
      'an integer of 64 bits is a number or text',
      PropertyValueSchema,
      'intValue',
      { type: ['integer', 'string'] },
    ],
    ['a time is text', PropertyValueSchema, 'timestampValue', { type: 'string', format: 'date-time' }],
  ])('%s', (_, message, name, expected) => {
    expect(propertyOf(deriveSchema(message, 'request'), name)).toMatchObject(expected)
  })

  test('fields without a valid default are required, and unknown fields are refused', () => {
    expect(deriveSchema(PropertyFilterSchema, 'request')).toMatchObject({
      required: ['property', 'operator'],
      additionalProperties: false,
    })
  })

  test('a required enum has no zero', () => {
    const { enum: names } = propertyOf(deriveSchema(TopKQuerySchema, 'request'), 'dimension')
    expect(names).toEqual(['DIMENSION_PROPERTY', 'DIMENSION_EVENT_KIND', 'DIMENSION_USER'])
  })

  test.each([
    [{ stringValue: 'a' }, true],
    [{ intValue: '42' }, true],
    [{ intValue: 42 }, true],
    [{ intValue: '4.2' }, false],
    [{}, false],
    [{ stringValue: 'a', boolValue: true }, false],
  ])('exactly one field of a required oneof is set: %j', (json, isValid) => {
    expect(takes(deriveSchema(PropertyValueSchema, 'request'), json)).toBe(isValid)
  })

  test.each([
    [{}, true],
    [{ segmentation: { total: 1 } }, true],
    [{ segmentation: { total: 1 }, trends: {} }, false],
  ])('at most one field of a oneof is set: %j', (json, isValid) => {
    expect(takes(deriveSchema(QueryResponseSchema, 'request'), json)).toBe(isValid)
  })

  test('a type that occurs twice is defined once', () => {
    const schema = deriveSchema(QueryRequestSchema, 'request')
    expect(Object.keys(schema.$defs as object).sort()).toEqual([
      'AggregationType',
      'CohortFilter',
      'EventFilter',
      'LogicalOperator',
      'PathAnchor',
      'PropertyFilter',
      'PropertySource',
    ])
    expect(JSON.stringify(schema)).toContain('"$ref":"#/$defs/EventFilter"')
  })

  test('a message may contain itself', () => {
    const schema = deriveSchema(FieldRulesSchema, 'request')
    expect(takes(schema, { repeated: { items: { repeated: { items: { required: true } } } } })).toBe(true)
    expect(takes(schema, { repeated: { items: { repeated: { items: { required: 'yes' } } } } })).toBe(false)
  })

  test('comments of the .proto file describe it, with names as JSON has them', () => {
    const schema = deriveSchema(ListProfilesSchema, 'request')
    expect(propertyOf(schema, 'pageToken').description).toBe(
      'nextPageToken of the previous page; empty for the first.',
    )
    expect(propertyOf(deriveSchema(TopKQuerySchema, 'request'), 'property').description).toBe(
      'Required for DIMENSION_PROPERTY.',
    )
  })

  test('the values of an enum are described without their prefix', () => {
    const { description } = propertyOf(deriveSchema(GetDeletionRequestResponseSchema, 'request'), 'status')
    expect(description).toBe(
      'State. PENDING: Accepted, not started. PROCESSING: Running. COMPLETED: Everything is erased. FAILED: Stopped; see the error of the request.',
    )
  })

  test('a type that another schema describes is not described again', () => {
    const anywhere = new Map(findTypes(PropertyFilterSchema).map((type) => [type, 'the other']))
    const described = { anywhere, asArguments: new Map() }
    const schema = deriveSchema(GetActivityFeedRequestSchema, 'request', described)
    expect(schema.$defs).toBeUndefined()
    expect(propertyOf(schema, 'propertyFilters')).toEqual({
      type: 'array',
      items: { type: 'object' },
      maxItems: 20,
      description: 'All must match. As in the other.',
    })
    const values = deriveSchema(GetPropertyValuesRequestSchema, 'request', described)
    expect(propertyOf(values, 'source')).toEqual({
      type: 'string',
      description: 'Where the property is stored. As in the other.',
    })
  })

  test('a message that is the arguments of another tool is not described again', () => {
    const asArguments = new Map([[QueryRequestSchema, 'the other']])
    const schema = deriveSchema(ListRequestSchema, 'request', { anywhere: asArguments, asArguments })
    expect(propertyOf(schema, 'query')).toEqual({
      type: 'object',
      description: 'The arguments of the other.',
    })
    expect(schema.$defs).toBeUndefined()
  })

  test.each([
    ['', true],
    ['$browser', true],
    ['a.b', true],
    ['a b', false],
  ])('an optional text with a pattern may be empty: %j', (property, isValid) => {
    const schema = deriveSchema(TopKQuerySchema, 'request')
    expect(takes(schema, { dimension: 'DIMENSION_USER', property })).toBe(isValid)
  })
})

describe('the schema of an answer', () => {
  test('lists, maps and messages are described only by their type', () => {
    const { properties } = deriveSchema(TrendSeriesSchema, 'answer')
    expect(properties).toMatchObject({ breakdown: { type: 'object' }, points: { type: 'array' } })
    expect(propertyOf(deriveSchema(QueryResponseSchema, 'answer'), 'trends')).toEqual({ type: 'object' })
  })

  test('a 64-bit integer is text, and a double is a number or the text of NaN or infinity', () => {
    const count = propertyOf(deriveSchema(HeatmapDaySchema, 'answer'), 'count')
    expect(count).toEqual({ type: 'string' })
    const value = propertyOf(deriveSchema(DataPointSchema, 'answer'), 'value')
    expect(value).toMatchObject({ type: ['number', 'string'] })
  })

  test('properties are any object', () => {
    expect(propertyOf(deriveSchema(ActivityEventSchema, 'answer'), 'autoProperties')).toMatchObject({
      type: 'object',
    })
  })

  test('it allows unknown fields, so that a response may grow', () => {
    const schema = deriveSchema(HeatmapDaySchema, 'answer')
    expect(takes(schema, { date: '2026-01-01', count: '1', more: true })).toBe(true)
    expect(takes(schema, {})).toBe(true)
    expect(takes(schema, { count: 1 })).toBe(false)
  })
})
