import { type DescMessage, fromJson, type JsonObject } from '@bufbuild/protobuf'
import { createValidator } from '@bufbuild/protovalidate'
import { expect, test } from 'vitest'
import {
  GetPropertyValuesRequestSchema,
  QueryRequestSchema,
  SegmentUsersRequestSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { type InsightMethod, invalidRequests, VALID_REQUESTS } from './invalid-requests.ts'
import { specOf, TYPES } from './invalid-specs.ts'

const SCHEMAS = {
  Query: QueryRequestSchema,
  SegmentUsers: SegmentUsersRequestSchema,
  GetPropertyValues: GetPropertyValuesRequestSchema,
} satisfies Record<InsightMethod, DescMessage>

const validator = createValidator()

/** Rules of the schema that a request breaks; throws for JSON that is no message at all. */
function brokenRules({ method, request }: { method: InsightMethod; request: JsonObject }): readonly string[] {
  const schema: DescMessage = SCHEMAS[method]
  const { violations = [] } = validator.validate(schema, fromJson(schema, request))
  return violations.map(({ ruleId }) => ruleId)
}

test('every request has a name of its own', () => {
  const names = invalidRequests().map(({ name }) => name)
  expect(names.length).toBeGreaterThan(250)
  expect(new Set(names).size).toBe(names.length)
})

test('every request is a message of its method', () => {
  expect(() => invalidRequests().map(brokenRules)).not.toThrow()
})

test('the requests that they start from break no rule of the schema', () => {
  const queries = TYPES.map((type) => ({
    method: 'Query' as const,
    request: { ...VALID_REQUESTS.Query, spec: specOf(type) },
  }))
  const others = (['SegmentUsers', 'GetPropertyValues'] as const).map((method) => ({
    method,
    request: VALID_REQUESTS[method],
  }))
  expect([...queries, ...others].flatMap(brokenRules)).toEqual([])
})
