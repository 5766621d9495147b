import type { ProjectId } from '../../../src/contract/ids.ts'
import { PROMOTED_ENTRIES, PROMOTED_PROPERTIES } from '../../../src/contract/promoted-properties.ts'
import { unreachable } from '../../../src/kernel/assert.ts'
import type { Event, Property } from '../../../src/pipeline/event/event.ts'
import { ByteWriter } from './byte-writer.ts'
import { MapColumn } from './map-column.ts'

/** Rows of `events` in one Native block. */
export interface EventsBlock {
  readonly bytes: Buffer
  readonly rowCount: number
}

const PROMOTED_INDEX: ReadonlyMap<string, number> = new Map(
  Object.keys(PROMOTED_PROPERTIES).map((property, index) => [property, index]),
)

/**
 * Collects events into one block of ClickHouse's Native format: the column count and the row count, then each column as
 * name, type and values. Columns are sent with their plain type; the engine casts to LowCardinality, which is cheaper
 * than sending dictionaries. Columns that are empty in every row are not sent.
 */
export class EventsBlockBuilder {
  readonly #project = new ByteWriter(256)
  readonly #kind = new ByteWriter(2048)
  readonly #time = new ByteWriter(1024)
  readonly #distinctId = new ByteWriter(4096)
  readonly #sessionId = new ByteWriter(2048)
  readonly #eventId = new ByteWriter(2048)
  readonly #cookieless = new ByteWriter(256)
  readonly #promoted = PROMOTED_ENTRIES.map(() => new ByteWriter(1024))
  readonly #promotedTexts: string[] = PROMOTED_ENTRIES.map(() => '')
  readonly #strings = new MapColumn()
  readonly #ints = new MapColumn()
  readonly #doubles = new MapColumn()
  readonly #bools = new MapColumn()
  readonly #times = new MapColumn()
  #rowCount = 0

  /** Rows added so far. */
  get rowCount(): number {
    return this.#rowCount
  }

  /** Adds one row. */
  add(project: ProjectId, event: Event): void {
    this.#project.uint32(project)
    this.#kind.text(event.kind)
    this.#time.int64(event.timeMs)
    this.#distinctId.text(event.distinctId)
    this.#sessionId.uuid(event.sessionId)
    this.#eventId.uuid(event.eventId)
    this.#cookieless.byte(event.cookieless ? 1 : 0)
    this.#addProperties(event.properties)
    this.#rowCount++
  }

  /** The block of all rows. The builder is spent. */
  finish(): EventsBlock {
    const columns = this.#columns().filter(([, type, values]) => !this.#isEmpty(type, values))
    const block = new ByteWriter(this.#rowCount * 256 + 4096)
    block.varint(columns.length)
    block.varint(this.#rowCount)
    for (const [name, type, values] of columns) {
      block.text(name)
      block.text(type)
      if (values instanceof MapColumn) values.writeTo(block)
      else block.append(values)
    }
    return { bytes: block.view(), rowCount: this.#rowCount }
  }

  #isEmpty(type: string, values: ByteWriter | MapColumn): boolean {
    if (values instanceof MapColumn) return values.pairCount === 0
    return type === 'String' && values.length === this.#rowCount
  }

  #columns(): [name: string, type: string, values: ByteWriter | MapColumn][] {
    const promoted = PROMOTED_ENTRIES.map(([, column], index): [string, string, ByteWriter] => [
      column,
      'String',
      this.#promoted[index] ?? new ByteWriter(0),
    ])
    return [
      ['project', 'UInt32', this.#project],
      ['kind', 'String', this.#kind],
      ['time', "DateTime64(3, 'UTC')", this.#time],
      ['distinct_id', 'String', this.#distinctId],
      ['session_id', 'UUID', this.#sessionId],
      ['event_id', 'UUID', this.#eventId],
      ['cookieless', 'Bool', this.#cookieless],
      ...promoted,
      ['strings', 'Map(String, String)', this.#strings],
      ['ints', 'Map(String, Int64)', this.#ints],
      ['doubles', 'Map(String, Float64)', this.#doubles],
      ['bools', 'Map(String, Bool)', this.#bools],
      ['times', "Map(String, DateTime64(3, 'UTC'))", this.#times],
    ]
  }

  #addProperties(properties: readonly Property[]): void {
    for (const property of properties) this.#addProperty(property)
    for (let index = 0; index < this.#promoted.length; index++) {
      this.#promoted[index]?.text(this.#promotedTexts[index] ?? '')
      this.#promotedTexts[index] = ''
    }
    this.#strings.endRow()
    this.#ints.endRow()
    this.#doubles.endRow()
    this.#bools.endRow()
    this.#times.endRow()
  }

  #addProperty({ key, value }: Property): void {
    const promoted = PROMOTED_INDEX.get(key)
    if (promoted !== undefined) this.#promotedTexts[promoted] = textOf(value)
    switch (value.type) {
      case 'string':
        this.#addString(key, value.value)
        break
      case 'int':
        this.#ints.key(key)
        this.#ints.values.bigint64(value.value)
        break
      case 'double':
        this.#doubles.key(key)
        this.#doubles.values.float64(value.value)
        break
      case 'bool':
        this.#bools.key(key)
        this.#bools.values.byte(value.value ? 1 : 0)
        break
      case 'time':
        this.#times.key(key)
        this.#times.values.int64(value.value)
        break
      default:
        unreachable(value)
    }
  }

  #addString(key: string, text: string): void {
    if (text !== '' && PROMOTED_INDEX.has(key)) return
    this.#strings.key(key)
    this.#strings.values.text(text)
  }
}

/** The text form of a value in queries. */
function textOf(value: Property['value']): string {
  return value.type === 'time' ? new Date(value.value).toISOString() : String(value.value)
}
