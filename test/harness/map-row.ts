import { PROMOTED_ENTRIES } from '../../src/contract/promoted-properties.ts'
import { SourceText } from '../../src/pipeline/encode/source-text.ts'
import type { PropertyValue } from '../../src/pipeline/event/event.ts'
import type { EditableRow, TextSpan } from '../../src/pipeline/event/event-row.ts'
import type { StockText } from '../../src/pipeline/event/stock-text.ts'

/** A row that is a map: the obvious twin of a row of columns, for tests. */
export class MapRow implements EditableRow {
  readonly properties: Map<string, PropertyValue>
  readonly source = new SourceText(1024)

  constructor(properties: Iterable<readonly [string, PropertyValue]> = []) {
    this.properties = new Map(properties)
  }

  text(key: string): string | undefined {
    const value = this.properties.get(key)
    return value?.type === 'string' ? value.value : undefined
  }

  has(key: string): boolean {
    return this.properties.has(key)
  }

  setText(key: string, value: string): void {
    this.properties.set(key, { type: 'string', value })
  }

  setInt(key: string, value: bigint): void {
    this.properties.set(key, { type: 'int', value })
  }

  setDouble(key: string, value: number): void {
    this.properties.set(key, { type: 'double', value })
  }

  setBool(key: string, value: boolean): void {
    this.properties.set(key, { type: 'bool', value })
  }

  remove(key: string): void {
    this.properties.delete(key)
  }

  isUnset(index: number): boolean {
    return !this.has(promoted(index)) || this.text(promoted(index)) === ''
  }

  promotedSpan(index: number): TextSpan | undefined {
    const text = this.text(promoted(index)) ?? ''
    const start = this.source.tail
    return text === '' ? undefined : { start, length: this.source.add(text) }
  }

  setPromotedSpan(index: number, start: number, length: number): void {
    this.setText(promoted(index), this.source.text(start, length))
  }

  setPromoted(index: number, { text }: StockText): void {
    this.setText(promoted(index), text)
  }

  removePromoted(index: number): void {
    this.remove(promoted(index))
  }
}

function promoted(index: number): string {
  return PROMOTED_ENTRIES[index]?.[0] ?? ''
}
