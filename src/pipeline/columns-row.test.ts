import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MapRow } from '../../test/harness/map-row.ts'
import { propertyRuns } from '../../test/harness/profile.ts'
import { asProjectId } from '../contract/ids.ts'
import { PROMOTED_ENTRIES } from '../contract/promoted-properties.ts'
import { ColumnsRow } from './columns-row.ts'
import { EventColumns } from './encode/event-columns.ts'
import type { PropertyValue } from './event/event.ts'
import type { EditableRow } from './event/event-row.ts'
import { stockText } from './event/stock-text.ts'

const EVENT = {
  eventId: '01930000-0000-7000-8000-00000000000a',
  kind: 'page_view',
  timeMs: 1_700_000_000_123,
  distinctId: 'anon-1',
  sessionId: 'fedcba98-7654-4321-8fff-0123456789ab',
  cookieless: false,
}

/** Few promoted properties and one that is not, so that edits meet. */
const INDEXES = [0, 4, 22]
const KEYS = [...INDEXES.map((index) => PROMOTED_ENTRIES[index]?.[0] ?? ''), 'own']

const TEXTS = ['', 'a', 'é', 'x'.repeat(200), '😀'.repeat(40)]

/** The text of a promoted property. */
function promotedText(row: EditableRow, index: number): string | undefined {
  const span = row.promotedSpan(index)
  return span && Buffer.from(row.source.bytes.slice(span.start, span.start + span.length)).toString('utf8')
}

const value: fc.Arbitrary<PropertyValue> = fc.oneof(
  fc.record({ type: fc.constant('string' as const), value: fc.constantFrom(...TEXTS) }),
  fc.record({
    type: fc.constant('int' as const),
    value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  }),
  fc.record({ type: fc.constant('bool' as const), value: fc.boolean() }),
)

type Edit = (row: EditableRow) => void

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...TEXTS)).map(
    ([key, text]): Edit =>
      (row) =>
        row.setText(key, text),
  ),
  fc.constantFrom(...KEYS).map(
    (key): Edit =>
      (row) =>
        row.setBool(key, true),
  ),
  fc.constantFrom(...KEYS).map(
    (key): Edit =>
      (row) =>
        row.remove(key),
  ),
  fc.tuple(fc.constantFrom(...INDEXES), fc.constantFrom(...TEXTS.slice(1))).map(
    ([index, text]): Edit =>
      (row) =>
        row.setPromoted(index, stockText(text)),
  ),
  fc.tuple(fc.constantFrom(...INDEXES), fc.constantFrom(...TEXTS.slice(1))).map(
    ([index, text]): Edit =>
      (row) => {
        const start = row.source.tail
        row.setPromotedSpan(index, start, row.source.add(text))
      },
  ),
  fc.constantFrom(...INDEXES).map(
    (index): Edit =>
      (row) =>
        row.removePromoted(index),
  ),
)

/** All that can be asked of a row. */
function describe(row: EditableRow): unknown {
  return [
    KEYS.map((key) => [row.has(key), row.text(key)]),
    INDEXES.map((index) => [row.isUnset(index), promotedText(row, index)]),
  ]
}

test('a row of columns is edited as a map is', () => {
  const properties = fc.uniqueArray(fc.record({ key: fc.constantFrom(...KEYS), value }), {
    selector: ({ key }) => key,
  })
  // One set of columns for all rows: none may see what the one before left behind.
  const columns = new EventColumns()
  const row = new ColumnsRow(columns)
  fc.assert(
    fc.property(properties, fc.array(edit, { maxLength: 6 }), (sent, edits) => {
      const twin = new MapRow(sent.map((property) => [property.key, property.value]))
      const seen: unknown[] = []
      const finishRow = (): void => {
        seen.push(describe(row))
        for (const change of edits) {
          change(row)
          seen.push(describe(row))
        }
        seen.push(KEYS.map((key) => row.get(key)))
      }
      columns.addEvent(
        { ...EVENT, properties: sent },
        { projectId: asProjectId(1), requestIndex: 0, finishRow },
      )
      const expected = [
        describe(twin),
        ...edits.map((change) => {
          change(twin)
          return describe(twin)
        }),
        KEYS.map((key) => twin.properties.get(key)),
      ]
      expect(seen).toEqual(expected)
      if (columns.rowCount > 1000) columns.clear()
    }),
    { numRuns: propertyRuns(1000) },
  )
})
