import { expect, test } from 'vitest'
import { NO_DEFINITION } from './definition.ts'
import { type FullEntry, parseCsv, writeCsv } from './definition-file.ts'

const entry: FullEntry = { type: 'event', name: 'signup', definition: NO_DEFINITION, mergedInto: '' }

test.each(['=1+1', '-x', '@me', "'=quoted", '"a", b', 'two\nlines', 'plain'])(
  'the text %j comes back',
  (text) => {
    const entries = [{ ...entry, definition: { ...NO_DEFINITION, description: text, tags: ['a', 'b'] } }]
    expect(parseCsv(writeCsv(entries))).toEqual(entries)
  },
)

test('no cell begins like a formula', () => {
  const csv = writeCsv([{ ...entry, name: '-signup', definition: { ...NO_DEFINITION, owner: '=cmd' } }])
  expect(csv).toContain("event,'-signup,,,'=cmd,,unreviewed,\r\n")
})

test('absent columns are absent parts', () => {
  expect(parseCsv('\uFEFFName,TYPE,state\nplan,property,hidden\n')).toEqual([
    { type: 'property', name: 'plan', definition: { state: 'hidden' } },
  ])
})

test.each([
  ['', 'is empty'],
  ['type\nevent', 'needs the column name'],
  ['type,name,colour\nevent,a,red', 'has the unknown column "colour"'],
  ['type,name,name\nevent,a,a', 'has a column twice'],
  ['type,name\nevent', 'row 2 must have 2 cells'],
  ['type,name\nevent,a\nkind,b', 'row 3: type must be event or property'],
  ['type,name\nevent,', 'row 2: name is required'],
  ['type,name,state\nevent,a,gone', 'row 2: state must be one of'],
  [`type,name,owner\nevent,a,${'x'.repeat(201)}`, 'row 2: owner has more than 200 characters'],
  ['type,name\nevent,"a', 'is not CSV'],
])('%j is refused', (csv, message) => {
  expect(() => parseCsv(csv)).toThrow(`csv: ${message}`)
})
