import { describe, expect, test } from 'vitest'
import { failures } from '../i18n/en/failures.ts'
import { Failure } from './failure.ts'
import { REASON_TEXTS } from './failure-reasons.ts'
import { textOfFailure, textOfField, writeFailure } from './failure-text.ts'

const failureOf = (reason: string): Failure =>
  new Failure({ code: 'not_found', message: 'as the service wrote it', reason })

const isOfField = (key: string): boolean => /^failures\.(field|noPictures|picture)/.test(key)

describe('a failure', () => {
  test('has a text by its reason, and every text has a reason', async () => {
    const reasons = Object.keys(REASON_TEXTS)
    const texts = await Promise.all(reasons.map(async (reason) => await writeFailure(failureOf(reason))))
    const unused = Object.entries(failures).filter(
      ([key, text]) => !isOfField(key) && !texts.includes(String(text)),
    )
    expect(unused).toEqual([])
    expect(textOfFailure(failureOf('GOAL_NOT_FOUND'))).toBe('This goal no longer exists.')
  })

  test.each(['INVALID_REQUEST', 'A_REASON_OF_TOMORROW', 'toString'])(
    'of the reason %s has the message of the service',
    async (reason) => {
      expect(await writeFailure(failureOf(reason))).toBe('The service answered: as the service wrote it')
    },
  )

  test.each([
    ['is required', 'Enter a value.'],
    ['must not be empty', 'Enter a value.'],
    ['must not be blank', 'Enter a value.'],
    ['must have at least 12 characters', '12 characters at least.'],
    ['must have at most 255 characters', '255 characters at most.'],
    ['must be a mail address', 'This is not an email address.'],
    ['must be a decimal number', 'This is not a number.'],
    ['must contain a wombat', 'The service answered: must contain a wombat'],
  ])('of a field that %s is in the words of the reader', async (description, text) => {
    const violations = new Map([['name', description]])
    const failure = new Failure({ ...failureOf('INVALID_REQUEST'), message: 'name: …', violations })
    expect(await writeFailure(failure)).toBe('The service answered: name: …')
    expect(textOfField(failure, 'name')).toBe(text)
    expect(textOfField(failure, 'other')).toBeUndefined()
  })

  test('of a field that the console finds itself has its own words', () => {
    const violations = new Map([['day', 'Choose a day.']])
    expect(textOfField(new Failure({ code: 'invalid_argument', message: '', violations }), 'day')).toBe(
      'Choose a day.',
    )
  })

  test('that never reached the service has the text that the console gave it', async () => {
    expect(await writeFailure(new TypeError('fetch failed'))).toBe(
      'The service cannot be reached, or its answer cannot be read.',
    )
    expect(textOfFailure(new Failure({ code: 'not_found', message: 'It is gone.' }))).toBe('It is gone.')
  })
})
