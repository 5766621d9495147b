import { type DescMessage, equals, type MessageShape } from '@bufbuild/protobuf'
import { type Accessor, createMemo } from 'solid-js'

type Row<Schema extends DescMessage> = MessageShape<Schema> & { readonly id: string }

/** The rows, with those of an earlier list in the place of equal ones. */
export function putKept<Schema extends DescMessage, Listed extends Row<Schema>>(
  schema: Schema,
  { before, rows }: { readonly before: readonly Listed[]; readonly rows: readonly Listed[] },
): readonly Listed[] {
  const known = new Map(before.map((row) => [row.id, row]))
  return rows.map((row) => {
    const same = known.get(row.id)
    return same && equals(schema, same, row) ? same : row
  })
}

/**
 * Rows of a list that is read again and again. Those that did not change stay the same objects, so that a table keeps their
 * elements, with the focus and the open menu in one of them.
 */
export function keepRows<Schema extends DescMessage, Listed extends Row<Schema>>(
  schema: Schema,
  rows: () => readonly Listed[],
): Accessor<readonly Listed[]> {
  return createMemo((before: readonly Listed[]) => putKept(schema, { before, rows: rows() }), [])
}
