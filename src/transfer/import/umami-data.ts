import { UnreadableSource } from './unreadable-source.ts'

/** Limit of the data of events that are kept until their events are read, in bytes with what each event takes beside its text. */
const DATA_BYTES_MAX = 384 * 1024 * 1024
const EVENT_BYTES = 120

/** The codes of types in Umami's exports that are no text. Lists are JSON text. */
const NUMBER_TYPE = '2'
const BOOLEAN_TYPE = '3'

/** A row of `event_data.csv` or `session_data.csv`: one value. */
export type DataRow = Readonly<Record<string, string>>

/** The value of a row. */
export function readDataValue({
  data_type,
  string_value = '',
  number_value = '',
  date_value = '',
}: DataRow): unknown {
  if (data_type === NUMBER_TYPE) {
    const number = Number(number_value || string_value)
    return Number.isFinite(number) ? number : string_value
  }
  if (data_type === BOOLEAN_TYPE) return string_value === 'true' || string_value === '1'
  return string_value || date_value
}

/** The data of Umami's events, which its exports have in a file of its own. */
export class UmamiData {
  /** Members of a JSON object, by event id: texts take less memory than objects. */
  readonly #members = new Map<string, string>()
  #bytes = 0

  /** Keeps a value of an event. Throws {@link UnreadableSource} when there are too many. */
  add(eventId: string, key: string, value: unknown): void {
    const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`
    const known = this.#members.get(eventId)
    this.#members.set(eventId, known === undefined ? member : `${known},${member}`)
    this.#bytes += member.length + (known === undefined ? EVENT_BYTES : 1)
    if (this.#bytes > DATA_BYTES_MAX)
      throw new UnreadableSource(
        `event_data.csv has more than ${DATA_BYTES_MAX} bytes of data; export shorter periods and import them one after the other`,
      )
  }

  /** The data of an event. */
  find(eventId: string): Readonly<Record<string, unknown>> {
    const members = this.#members.get(eventId)
    return members === undefined ? {} : JSON.parse(`{${members}}`)
  }
}
