import { PROMOTED_ENTRIES } from '../../src/contract/promoted-properties.ts'
import type { PropertyValue } from '../../src/pipeline/event/event.ts'
import type { Derivation, EditableRow } from '../../src/pipeline/event/event-row.ts'
import type { StockText } from '../../src/pipeline/event/stock-text.ts'

/** A row that is a map: the obvious twin of a row of columns, for tests. */
export class MapRow implements EditableRow {
  readonly properties: Map<string, PropertyValue>

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
    return !this.has(promoted(index)) || this.promotedText(index) === ''
  }

  promotedText(index: number): string | undefined {
    return this.text(promoted(index))
  }

  derive<Facts>(index: number, derivation: Derivation<Facts>): Facts | undefined {
    const text = this.promotedText(index)
    return text === undefined || text === '' ? undefined : derivation.ofText(text)
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
