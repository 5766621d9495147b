import { create, toBinary } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { IdentifyRequestSchema } from '../../contract/gen/sdk/profiles/v1/profiles_sdk_service_pb.js'
import { LIMITS } from '../../kernel/limits.ts'
import { isUnmergeable } from './merge-guards.ts'
import { parseIdentify } from './parse-identify.ts'

function parseJson(json: unknown) {
  return parseIdentify('json', Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)))
}

describe('an Identify call', () => {
  test('has its traits as JSON text, null included', () => {
    const traits = { plan: 'pro', seats: 3, ratio: 1.5, nothing: null, yes: true, nested: { a: [1, 'x'] } }
    expect(parseJson({ externalId: 'bob', traits, anonymousId: 'anon-1', device_id: 'd' })).toEqual({
      ok: true,
      value: {
        externalId: 'bob',
        anonymousId: 'anon-1',
        deviceId: 'd',
        traits: new Map([
          ['plan', '"pro"'],
          ['seats', '3'],
          ['ratio', '1.5'],
          ['nothing', 'null'],
          ['yes', 'true'],
          ['nested', '{"a":[1,"x"]}'],
        ]),
        traitsOnce: new Map(),
        removedTraits: [],
      },
    })
  })

  test('has traits to set once and traits to remove', () => {
    const json = { externalId: 'bob', traitsOnce: { first: '/a', at: null }, removedTraits: ['plan', 'plan'] }
    const value = { traits: new Map(), removedTraits: ['plan'] }
    const traitsOnce = new Map([
      ['first', '"/a"'],
      ['at', 'null'],
    ])
    expect(parseJson(json)).toMatchObject({ ok: true, value: { ...value, traitsOnce } })
    const message = create(IdentifyRequestSchema, json)
    expect(parseIdentify('proto', toBinary(IdentifyRequestSchema, message))).toEqual(parseJson(json))
  })

  test('claims an id without the prefix as its previous id', () => {
    const json = { externalId: 'bob', previousId: '0198-d0d0' }
    expect(parseJson(json)).toMatchObject({ ok: true, value: { anonymousId: '0198-d0d0' } })
  })

  test('reads the same from protobuf', () => {
    const message = create(IdentifyRequestSchema, { externalId: 'bob', traits: { plan: 'pro' } })
    expect(parseIdentify('proto', toBinary(IdentifyRequestSchema, message))).toEqual(
      parseJson({ external_id: 'bob', traits: { plan: 'pro' } }),
    )
  })

  test.each([
    ['no external id', {}, 'externalId'],
    ['an empty external id', { externalId: '' }, 'externalId'],
    ['a derived external id', { externalId: 'cookieless-x' }, 'externalId'],
    ['a number for an external id', { externalId: 7 }, ''],
    ['an external id that is too long', { externalId: 'x'.repeat(1025) }, 'externalId'],
    ['an anonymous id of another form', { externalId: 'bob', anonymousId: 'bob' }, 'anonymousId'],
    [
      'an anonymous id that is too long',
      { externalId: 'b', anonymousId: `anon-${'x'.repeat(251)}` },
      'anonymousId',
    ],
    ['a derived previous id', { externalId: 'bob', previousId: 'cookieless-x' }, 'previousId'],
    ['a previous id that is too long', { externalId: 'bob', previousId: 'x'.repeat(1025) }, 'previousId'],
    ['two ids to merge', { externalId: 'bob', previousId: 'a', anonymousId: 'anon-a' }, 'previousId'],
    ['a device id that is too long', { externalId: 'bob', deviceId: 'd'.repeat(37) }, 'deviceId'],
    ['traits that are no object', { externalId: 'bob', traits: [1] }, ''],
    ['a trait without a name', { externalId: 'bob', traits: { '': 1 } }, 'traits'],
    ['a name of a trait that is too long', { externalId: 'bob', traits: { ['x'.repeat(201)]: 1 } }, 'traits'],
    [
      'too many traits',
      { externalId: 'b', traits: Object.fromEntries(Array.from({ length: 257 }, (_, at) => [`t${at}`, 1])) },
      'traits',
    ],
    ['too much text', { externalId: 'b', traits: { a: 'x'.repeat(LIMITS.traitBytesMax) } }, 'traits'],
    ['a trait to set once without a name', { externalId: 'bob', traitsOnce: { '': 1 } }, 'traitsOnce'],
    ['a trait to remove without a name', { externalId: 'bob', removedTraits: [''] }, 'removedTraits'],
    [
      'too many operations',
      {
        externalId: 'b',
        traits: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`t${at}`, 1])),
        removedTraits: Array.from({ length: 57 }, (_, at) => `r${at}`),
      },
      'removedTraits',
    ],
    [
      'too much text in two parts',
      {
        externalId: 'b',
        traits: { a: 'x'.repeat(LIMITS.traitBytesMax / 2) },
        traitsOnce: { b: 'x'.repeat(LIMITS.traitBytesMax / 2) },
      },
      'traitsOnce',
    ],
    ['a lone surrogate', '{"externalId":"bob","traits":{"a":"\\ud800"}}', 'traits.a'],
    ['no JSON', '{', ''],
  ])('with %s is refused', (_, json, field) => {
    expect(parseJson(json)).toMatchObject({ ok: false, error: { field } })
  })

  test('with a trait that is no number is refused in protobuf too', () => {
    const message = create(IdentifyRequestSchema, { externalId: 'bob', traits: { a: { b: Number.NaN } } })
    const parsed = parseIdentify('proto', toBinary(IdentifyRequestSchema, message))
    expect(parsed).toMatchObject({ ok: false, error: { field: 'traits.a' } })
  })

  test('of malformed protobuf is refused', () => {
    expect(parseIdentify('proto', Buffer.from([0x0a, 0x05, 0x61]))).toMatchObject({ ok: false })
  })
})

test.each(['null', 'NULL', ' undefined ', '[object Object]', 'guest', 'anonymous', '0'])(
  '%j is not a user id',
  (externalId) => {
    expect(isUnmergeable(externalId)).toBe(true)
  },
)

test('external ids that merely contain a placeholder can be merged', () => {
  expect(['nullius', 'guest-1', '00', 'bob'].filter(isUnmergeable)).toEqual([])
})
