import { WARNING_REASONS } from '@domain/ingestion-warnings.ts'
import { expect, test } from 'vitest'
import { t } from '../../i18n/translate.ts'
import { libraryOf, markLines, textOf, titleOf } from './warnings.ts'

test('every reason has a title and says what to do, and an unknown one has a text too', () => {
  const reasons = [...Object.keys(WARNING_REASONS), 'of_a_newer_release']
  const texts = reasons.flatMap((reason) => [t(titleOf(reason)), t(textOf(reason))])
  expect(texts.filter((text) => text === '' || text.startsWith('warnings.'))).toEqual([])
  expect(t(titleOf('text_cut'))).toBe('Text cut')
  expect(t(titleOf('constructor'))).toBe('Another reason')
})

test('the lines of a sample at its fields are marked', () => {
  const event = { event: 'x', properties: { 'a "b"': { c: '1' }, bio: 'text', bio2: 'text' }, bio: 'text' }
  const lines = markLines(JSON.stringify(event, undefined, 2), ['properties.bio', 'properties.a "b".c'])
  expect(lines.filter(({ isMarked }) => isMarked).map(({ text }) => text.trim())).toEqual([
    '"c": "1"',
    '"bio": "text",',
  ])
  expect(lines.map(({ text }) => text).join('\n')).toBe(JSON.stringify(event, undefined, 2))
  expect(markLines('', ['a'])).toEqual([{ text: '', isMarked: false }])
})

test('a library has its version when it is known', () => {
  expect(libraryOf({ sdk: 'posthog-node', sdkVersion: '5.70.0' })).toBe('posthog-node 5.70.0')
  expect(libraryOf({ sdk: 'x', sdkVersion: '' })).toBe('x')
})
