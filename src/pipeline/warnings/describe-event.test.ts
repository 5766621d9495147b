import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WARNING_REASONS, type WarningReason } from '../../contract/ingestion-warnings.ts'
import { describeEvent } from './describe-event.ts'
import { DescribedWarnings, RequestWarnings } from './request-warnings.ts'
import { sdkOfAgent, toSdkName } from './sdk-name.ts'
import { NO_SDK, type SdkName } from './warning.ts'

const REASONS = Object.keys(WARNING_REASONS) as WarningReason[]

describe('the sample of an event', () => {
  test('has its names and what its values are like', () => {
    const event = {
      event: 'Signed Up',
      distinct_id: 'ann@a.test',
      properties: {
        age: 34,
        bio: 'x'.repeat(1025),
        tags: ['a', 'b'],
        pro: true,
        none: null,
        address: { a: 1 },
      },
    }
    expect(JSON.parse(describeEvent(event, 'text_cut'))).toEqual({
      fields: ['properties.bio'],
      event: {
        event: 'Signed Up',
        distinct_id: 'text of 10 characters',
        properties: {
          bio: 'text of 1025 characters',
          age: 'number',
          tags: 'list of 2',
          pro: 'true or false',
          none: 'null',
          address: 'object of 7 characters',
        },
      },
    })
  })

  test.each<[WarningReason, object, readonly string[]]>([
    ['property_left_out', { properties: { 'a@b.test': 1, ok: 1 } }, []],
    ['property_left_out', { properties: { ['x'.repeat(201)]: 1 } }, ['properties.name of 201 characters']],
    ['property_left_out', { properties: { big: { text: 'x'.repeat(2000) } } }, ['properties.big']],
    ['characters_replaced', { properties: { a: 'a\ud800', b: 'b' } }, ['properties.a']],
    ['operation_not_supported', { $token: 't', $add: { visits: 1 } }, ['$add']],
    ['other_key', { properties: { token: 'pub_other' } }, ['properties.token']],
    ['invalid_distinct_id', { userId: 'x', anonymousId: 'y' }, ['userId', 'anonymousId']],
    ['unknown_type', { type: 'import' }, ['type']],
    ['trait_left_out', { properties: { $set: { plan: 'pro' } } }, ['properties.$set']],
    ['blocked_kind', { event: 'x' }, []],
  ])('of %s in %j marks %j', (reason, event, fields) => {
    expect(JSON.parse(describeEvent(event, reason))).toMatchObject({ fields })
  })

  test('shows the form of a time that is none', () => {
    const text = (timestamp: unknown): unknown =>
      (JSON.parse(describeEvent({ timestamp }, 'time_replaced')) as { event: object }).event
    expect(text('24.12.2026 18:00 Uhr')).toEqual({ timestamp: 'text like 00.00.0000 00:00 aaa' })
    expect(text(1_795_355_895_814_000)).toEqual({ timestamp: 'number of 16 digits' })
    expect(text('aaa@aaa.test')).toEqual({ timestamp: 'text of 12 characters' })
    expect(text('x'.repeat(41))).toEqual({ timestamp: 'text of 41 characters' })
  })

  test('has no value and no name that may be personal, and a limited length, whatever the event is', () => {
    const secret = fc.stringMatching(/^[a-z]{3,8}@[a-z]{3,8}\.test$|^\d{6,12}$/)
    const names = fc.constantFrom('properties', 'context', 'bio', 'timestamp', 'id', '__proto__', 'data')
    const name = fc.oneof(names, secret)
    const { event } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        secret,
        secret.map((text) => text.repeat(200)),
        fc.array(secret),
        tie('event'),
      ),
      event: fc.dictionary(name, tie('value'), { maxKeys: 60 }),
    }))
    fc.assert(
      fc.property(event, fc.constantFrom(...REASONS), (record, reason) => {
        const text = describeEvent(record, reason)
        expect(text.length).toBeLessThanOrEqual(1500)
        expect(text).not.toMatch(/@|\.test|[1-9]\d{5}/)
      }),
    )
  })

  test('is empty for what is no object', () => {
    expect([1, null, [1], 'x', undefined].map((value) => describeEvent(value, 'not_an_object'))).toEqual(
      Array(5).fill(''),
    )
  })

  test('names what it has no room for, and keeps what is wrong', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`name ${index}`, 1]))
    const sample = JSON.parse(describeEvent({ properties: { ...many, late: 'x'.repeat(2000) } }, 'text_cut'))
    expect(sample.fields).toEqual(['properties.late'])
    expect(sample.event.properties['…']).toBe('9971 more')
  })
})

function warningsOf(
  sdkOf: (record: unknown) => SdkName,
  described = new DescribedWarnings(),
): RequestWarnings {
  return new RequestWarnings({ sdkOf, described, source: '1 posthog' })
}

describe('the warnings of a request', () => {
  test('have one sample in a second, whichever request has it', () => {
    const described = new DescribedWarnings()
    const samples = [1, 2].map((age) => {
      const warnings = warningsOf(() => NO_SDK, described)
      warnings.add('no_name', { age })
      return warnings.list?.map(({ count, sample }) => [count, sample !== ''])
    })
    expect(samples).toEqual([[[1, true]], [[1, false]]])
  })

  test('are counted by reason and library, and beyond 32 without it', () => {
    const warnings = warningsOf((record) => ({ sdk: 'lib', sdkVersion: String(record) }))
    for (let version = 0; version < 40; version++) warnings.add('no_name', version)
    warnings.add('no_name', 0)
    const { list = [] } = warnings
    expect(list).toHaveLength(33)
    expect(list[0]).toEqual({ reason: 'no_name', sdk: 'lib', sdkVersion: '0', count: 2, sample: '' })
    expect(list.at(-1)).toEqual({ reason: 'no_name', ...NO_SDK, count: 8, sample: '' })
  })

  test('are absent when there are none', () => {
    expect(warningsOf(() => NO_SDK).list).toBeUndefined()
  })
})

describe('the name of a library', () => {
  test.each([
    ['posthog-node/5.70.0', 'posthog-node', '5.70.0'],
    ['@scope/lib/v1.2', '@scope/lib', '1.2'],
    ['Mozilla/5.0 Umami/22.1.0', 'Umami', '22.1.0'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', '', ''],
    ['Mozilla/5.0', '', ''],
    ['ann@a.test', '', ''],
    [undefined, '', ''],
  ])('in the user agent %j is %j %j', (agent, sdk, sdkVersion) => {
    expect(sdkOfAgent(agent)).toEqual({ sdk, sdkVersion })
  })

  test('is short and printable', () => {
    expect(toSdkName(`a\u0000\n${'b'.repeat(100)}`, 'ä1')).toEqual({
      sdk: `a${'b'.repeat(57)}`,
      sdkVersion: '1',
    })
    expect(toSdkName('\n', '1')).toBeUndefined()
  })
})
