import {
  create,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  toJson,
} from '@bufbuild/protobuf'
import { createValidator } from '@bufbuild/protovalidate'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { describe, expect, test } from 'vitest'
import { COMMENTS } from '../../src/contract/gen/comments.js'
import { GetFilterSchemaRequestSchema } from '../../src/contract/gen/common/v1/filter_schema_pb.js'
import {
  InsightsService,
  type QueryRequest,
  QueryRequestSchema,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { MessageRules } from '../../src/contract/message-rules.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { SHORT_DESCRIPTIONS } from '../../src/query/mcp/schema/descriptions.ts'
import { deriveSchema, type JsonSchema } from '../../src/query/mcp/schema/json-schema.ts'
import { describeTools } from '../../src/query/mcp/tool-list.ts'
import { TOOLS, type ToolEntry, type ToolName } from '../../src/query/mcp/tools.ts'
import { generateRequest, generateWorld, INSIGHT_TYPES } from './generate.ts'
import { type InsightMethod, type InvalidRequest, invalidRequests } from './invalid-requests.ts'
import { answer, answerFilterSchema } from './reference.ts'

const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1)
const WORLDS = SEEDS.map((seed) => generateWorld(seed))
const REQUESTS = WORLDS.flatMap((generated) => {
  const rng = new Prng(generated.seed)
  return INSIGHT_TYPES.map((type) => ({ generated, request: generateRequest(rng, generated, type) }))
})

const INPUTS = {
  Query: InsightsService.method.query.input,
  SegmentUsers: InsightsService.method.segmentUsers.input,
  GetPropertyValues: InsightsService.method.getPropertyValues.input,
} as const satisfies Record<InsightMethod, DescMessage>

const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[]
const ajv = new AjvJsonSchemaValidator()
const rules = new MessageRules()
const protovalidate = createValidator()

function validator(schema: JsonSchema): (json: unknown) => string {
  const validate = ajv.getValidator(schema)
  return (json) => validate(json).errorMessage ?? ''
}

const LISTED = new Map(describeTools().map((tool) => [tool.name, tool]))

/** The schema of arguments as a client gets it. */
function inputValidator(name: ToolName): (json: unknown) => string {
  return validator(LISTED.get(name)?.inputSchema ?? {})
}

/** Ids of rules that a schema can say: one field alone breaks them. Others are rules in CEL, or of the service itself. */
const OF_ONE_FIELD = /^(required$|(string|repeated|enum|int32)[.])/

function breaksRuleOfOneField({ method, request }: InvalidRequest): boolean {
  const input: DescMessage = INPUTS[method]
  const { violations = [] } = protovalidate.validate(input, fromJson(input, request))
  return violations.some(({ ruleId }) => OF_ONE_FIELD.test(ruleId))
}

const outputOf = (schema: DescMessage): ((json: unknown) => string) =>
  validator(deriveSchema(schema, 'answer'))

describe('inputs', () => {
  test.each([
    ['short', false],
    ['with every field that has no presence', true],
  ])('every valid insight has a valid form: %s', (_, alwaysEmitImplicit) => {
    const check = inputValidator('query_insights')
    const refused = REQUESTS.flatMap(({ generated: { seed }, request }) => {
      const json = toJson(QueryRequestSchema, request, { alwaysEmitImplicit })
      const error = check(json)
      return error === '' ? [] : [{ seed, error, json: JSON.stringify(json) }]
    })
    expect(REQUESTS.length).toBeGreaterThan(250)
    expect(refused).toEqual([])
  })

  test('a field that no request has is refused at any depth', () => {
    const check = inputValidator('query_insights')
    const json = toJson(QueryRequestSchema, (REQUESTS[0] as { request: QueryRequest }).request) as JsonObject
    expect(check({ ...json, extra: 1 })).not.toBe('')
    expect(check({ ...json, spec: { ...(json.spec as JsonObject), extra: 1 } })).not.toBe('')
    expect(check(json)).toBe('')
  })

  test('requests that one field makes invalid do not match the schema', () => {
    const invalid = invalidRequests()
    const checks = {
      Query: validator(deriveSchema(INPUTS.Query, 'request')),
      SegmentUsers: validator(deriveSchema(INPUTS.SegmentUsers, 'request')),
      GetPropertyValues: validator(deriveSchema(INPUTS.GetPropertyValues, 'request')),
    } satisfies Record<InsightMethod, unknown>
    const unseen = invalid.filter(({ method, request }) => checks[method](request) === '')
    expect(unseen.filter(breaksRuleOfOneField).map(({ name }) => name)).toEqual([])
    expect(invalid.length - unseen.length).toBeGreaterThan(80)
  })

  test.each(
    TOOL_NAMES.flatMap((name) => (TOOLS[name] as ToolEntry).examples.map((example) => ({ name, example }))),
  )('an example of $name is valid: $example', ({ name, example }) => {
    const { method }: ToolEntry = TOOLS[name]
    expect(inputValidator(name)(example)).toBe('')
    expect(rules.check(method.input, fromJson(method.input, example as JsonValue))).toEqual([])
    // One without arguments says no more than the schema.
    const isShown = LISTED.get(name)?.description?.includes(JSON.stringify(example))
    expect(isShown).toBe(Object.keys(example).length > 0)
  })
})

describe('outputs', () => {
  test('every answer to an insight has the form that is promised', () => {
    const check = outputOf(QueryResponseSchema)
    const strays = REQUESTS.flatMap(({ generated: { seed, world }, request }) => {
      const error = check(toJson(QueryResponseSchema, answer(world, request)))
      return error === '' ? [] : [{ seed, error }]
    })
    expect(strays).toEqual([])
  })

  test('the filter schema has the promised form too', () => {
    const { method } = TOOLS.get_insights_filter_schema
    const check = outputOf(method.output)
    const answers = WORLDS.map(({ world }) =>
      toJson(method.output, answerFilterSchema(world, create(GetFilterSchemaRequestSchema))),
    )
    expect(answers.map(check).filter((error) => error !== '')).toEqual([])
  })
})

test('no tool has a choice at the root of its schema, which interfaces of models refuse', () => {
  const choices = describeTools().filter(({ inputSchema }) =>
    ['oneOf', 'anyOf', 'allOf', '$ref'].some((keyword) => Object.hasOwn(inputSchema, keyword)),
  )
  expect(choices.map(({ name }) => name)).toEqual([])
})

/** About a token for every four bytes. A tool that does not fit makes another one shorter. */
const LIST_BYTES_MAX = 40_000

test('the list of tools leaves room for a conversation', () => {
  const bytes = Buffer.byteLength(JSON.stringify({ tools: describeTools() }))
  expect(bytes).toBeLessThanOrEqual(LIST_BYTES_MAX)
})

test.each([
  [
    'query_insights',
    [
      'INSIGHT_TYPE_TRENDS"',
      'INSIGHT_TYPE_FUNNEL"',
      'INSIGHT_TYPE_RETENTION"',
      '$channel belongs to the event',
    ],
  ],
  ['query_insights', ['inclusive, in whole seconds', 'events[1]', 'IANA time zone', 'without duplicates']],
  [
    'query_insights',
    ['FILTER_OPERATOR_NOT_CONTAINS', 'PROPERTY_SOURCE_FIRST_TOUCH', 'PROPERTY_SOURCE_SESSION_ENTRY'],
  ],
  ['explore_events', ['at most 20. As in query_insights.', 'at most 50', 'maxItems":20']],
] as const)('what a call of %s depends on is in the list: %j', (name, texts) => {
  const text = JSON.stringify(LISTED.get(name)).replaceAll('\\\\"', '"').replaceAll('\\"', '"')
  expect(texts.filter((one) => !text.includes(one))).toEqual([])
})

test('every short description belongs to a message type', () => {
  const types = new Set(Object.keys(COMMENTS))
  expect(Object.keys(SHORT_DESCRIPTIONS).filter((name) => !types.has(name))).toEqual([])
})
