import type { EventColumns } from './encode/event-columns.ts'
import type { PropertyValue } from './event/event.ts'
import type { EditableRow, ReadableRow, TextSource, TextSpan } from './event/event-row.ts'
import type { StockText } from './event/stock-text.ts'

/** The current row of columns, for enrichment and the check of typed events. */
export class ColumnsRow implements EditableRow, ReadableRow {
  readonly #columns: EventColumns

  constructor(columns: EventColumns) {
    this.#columns = columns
  }

  get source(): TextSource {
    return this.#columns.properties.source
  }

  get(key: string): PropertyValue | undefined {
    return this.#columns.property(key)
  }

  text(key: string): string | undefined {
    const value = this.#columns.property(key)
    return value?.type === 'string' ? value.value : undefined
  }

  has(key: string): boolean {
    return this.#columns.hasProperty(key)
  }

  setText(key: string, value: string): void {
    this.#columns.setProperty(key, { type: 'string', value })
  }

  setInt(key: string, value: bigint): void {
    this.#columns.setProperty(key, { type: 'int', value })
  }

  setDouble(key: string, value: number): void {
    this.#columns.setProperty(key, { type: 'double', value })
  }

  setBool(key: string, value: boolean): void {
    this.#columns.setProperty(key, { type: 'bool', value })
  }

  remove(key: string): void {
    this.#columns.removeProperty(key)
  }

  isUnset(index: number): boolean {
    return this.#columns.properties.isUnset(index)
  }

  promotedSpan(index: number): TextSpan | undefined {
    return this.#columns.properties.promotedSpan(index)
  }

  setPromotedSpan(index: number, start: number, length: number): void {
    this.#columns.properties.setPromotedSpan(index, start, length)
  }

  setPromoted(index: number, value: StockText): void {
    this.#columns.properties.setPromoted(index, value)
  }

  removePromoted(index: number): void {
    this.#columns.properties.removePromoted(index)
  }
}
