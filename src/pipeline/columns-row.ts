import type { EventColumns } from './encode/event-columns.ts'
import type { PropertyValue } from './event/event.ts'
import type { Derivation, EditableRow, ReadableRow } from './event/event-row.ts'
import type { StockText } from './event/stock-text.ts'

/** The current row of columns, for enrichment and the check of typed events. */
export class ColumnsRow implements EditableRow, ReadableRow {
  readonly #columns: EventColumns

  constructor(columns: EventColumns) {
    this.#columns = columns
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

  promotedText(index: number): string | undefined {
    return this.#columns.properties.promotedText(index)
  }

  derive<Facts>(index: number, derivation: Derivation<Facts>): Facts | undefined {
    return this.#columns.properties.derive(index, derivation)
  }

  setPromoted(index: number, value: StockText): void {
    this.#columns.properties.setPromoted(index, value)
  }

  removePromoted(index: number): void {
    this.#columns.properties.removePromoted(index)
  }
}
