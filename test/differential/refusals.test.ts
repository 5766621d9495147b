import { fromJson, type JsonObject } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { QueryRequestSchema } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../src/contract/ids.ts'
import { MessageRules } from '../../src/contract/message-rules.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import { invalidRequests, VALID_REQUESTS } from './invalid-requests.ts'

const PROJECT = { projectId: asProjectId(1), projectTimeZone: 'UTC' }
const rules = new MessageRules()

/** Validates a query before it runs: its JSON, the rules of its message, or the parser of its type. */
function refuse(json: JsonObject): string {
  let request: ReturnType<typeof parse>
  try {
    request = parse(json)
  } catch {
    return 'json'
  }
  if (rules.check(QueryRequestSchema, request).length > 0) return 'rule'
  try {
    prepareInsight(request, PROJECT)
  } catch (error) {
    return error instanceof Object && 'code' in error ? String(error.code) : String(error)
  }
  return 'accepted'
}

function parse(json: JsonObject) {
  return fromJson(QueryRequestSchema, json)
}

const queries = invalidRequests().filter(({ method }) => method === 'Query')

test('a query that breaks no rule is accepted', () => {
  expect(refuse(VALID_REQUESTS.Query)).toBe('accepted')
})

test.each(queries)('$name', ({ request }) => {
  expect(refuse(request)).toMatch(/^(json|rule|invalid_argument)$/)
})
