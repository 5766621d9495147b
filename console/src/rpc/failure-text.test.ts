import { describe, expect, test } from 'vitest'
import { failures } from '../i18n/en/failures.ts'
import { Failure } from './failure.ts'
import { REASON_TEXTS } from './failure-reasons.ts'
import { textOfFailure, writeFailure } from './failure-text.ts'

const failureOf = (reason: string): Failure =>
  new Failure({ code: 'not_found', message: 'as the service wrote it', reason })

describe('a failure', () => {
  test('has a text by its reason, and every text has a reason', async () => {
    const reasons = Object.keys(REASON_TEXTS)
    const texts = await Promise.all(reasons.map(async (reason) => await writeFailure(failureOf(reason))))
    const unused = Object.values(failures).filter((text) => !texts.includes(text))
    expect(unused).toEqual([])
    expect(textOfFailure(failureOf('GOAL_NOT_FOUND'))).toBe('This goal no longer exists.')
  })

  test.each(['INVALID_REQUEST', 'A_REASON_OF_TOMORROW', 'toString'])(
    'of the reason %s has the message of the service',
    async (reason) => {
      expect(await writeFailure(failureOf(reason))).toBe('The service answered: as the service wrote it')
    },
  )

  test('that never reached the service has the text that the console gave it', async () => {
    expect(await writeFailure(new TypeError('fetch failed'))).toBe(
      'The service cannot be reached, or its answer cannot be read.',
    )
    expect(textOfFailure(new Failure({ code: 'not_found', message: 'It is gone.' }))).toBe('It is gone.')
  })
})
