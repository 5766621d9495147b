import { expect, test } from 'vitest'
import { propertySpellings, WELL_KNOWN_EVENTS } from '../../contract/well-known-events/catalogue.ts'
import type { PropertyValue } from '../event/event.ts'
import { checkTypedEvent } from './check-typed-event.ts'
import { describeViolations } from './typed-event-check.ts'

const time: PropertyValue = { type: 'time', value: 0 }

test('the text names every violation', () => {
  const row = new Map<string, PropertyValue>([
    ['amount', { type: 'double', value: 0 }],
    ['currency', { type: 'string', value: 'eur' }],
    ['orderId', time],
  ])
  expect(describeViolations(checkTypedEvent('order_refunded', row))).toBe(
    'orderId must be a text; amount must be greater than 0; currency must match ^[A-Z]{3}$',
  )
  expect(describeViolations(checkTypedEvent('app_update', new Map()))).toBe('app_version is required')
  expect(describeViolations([])).toBe('')
})

test('the text of the worst event of every kind fits a property value', () => {
  const lengths = WELL_KNOWN_EVENTS.map(({ kind, properties }) => {
    const row = new Map(
      Object.keys(properties)
        .flatMap(propertySpellings)
        .map((name) => [name, time]),
    )
    return describeViolations(checkTypedEvent(kind, row)).length
  })
  expect(Math.max(...lengths)).toBeLessThan(1024)
})
