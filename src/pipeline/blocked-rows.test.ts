import { expect, test } from 'vitest'
import { asProjectId } from '../contract/ids.ts'
import { BlockedRows } from './blocked-rows.ts'
import { decodeJson } from './decode/decode-batch.ts'
import { EventColumns } from './encode/event-columns.ts'

const EVENT = {
  eventId: '00000000-0000-4000-8000-000000000001',
  sessionId: '00000000-0000-4000-8000-000000000002',
  distinctId: 'ann',
  occurTime: '2026-03-01T12:00:00Z',
}

/** Decodes a batch after others and drops its blocked rows; returns their number and the rows of the block. */
function drop(columns: EventColumns, body: string): readonly [blocked: number, stored: number] {
  const blocked = new BlockedRows(['spam'], columns.rowCount)
  const finishRow = (): void => void blocked.take(columns)
  const verdict = decodeJson(Buffer.from(body), columns, {
    projectId: asProjectId(1),
    requestIndex: 0,
    finishRow,
  })
  expect(verdict).toMatchObject({ ok: true })
  blocked.drop(columns)
  return [blocked.count, columns.finish().rowCount]
}

const batch = (kinds: readonly string[]): string =>
  JSON.stringify({ events: kinds.map((kind) => ({ ...EVENT, kind })) })

test('rows of blocked kinds are dropped, those of a request before are not', () => {
  const columns = new EventColumns()
  const context = { projectId: asProjectId(1), requestIndex: 0 }
  decodeJson(Buffer.from(batch(['spam'])), columns, context)
  expect(drop(columns, batch(['spam', 'buy', 'spammer', 'spam']))).toEqual([2, 3])
})

test('a batch that is decoded again counts its rows once', () => {
  // An escaped letter in a name of a field is for the slow decoder, after the scanner has added the first rows.
  const body = batch(['spam', 'buy', 'spam']).replace(/"distinctId"(?!.*"distinctId")/, '"distinct\\u0049d"')
  expect(drop(new EventColumns(), body)).toEqual([2, 1])
})
