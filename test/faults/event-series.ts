/** Values of a stored row that prove that an event arrived as it was sent. */
export interface EventFacts {
  readonly kind: string
  readonly timeMs: number
  readonly distinctId: string
}

const KINDS = ['fault_view', 'fault_click', 'fault_scroll', 'fault_leave'] as const

const START_MS = Date.UTC(2026, 1, 1)
const STEP_MS = 7
const USERS = 997

/** Events by number: the same seed and number are the same event, byte for byte, however often it is sent. */
export class EventSeries {
  readonly kinds: readonly string[] = KINDS
  readonly #prefix: string

  constructor(seed: number) {
    this.#prefix = `${(seed >>> 0).toString(16).padStart(8, '0')}-fa17-4000-8000-`
  }

  /** The fixed parts of an event. */
  facts(number: number): EventFacts {
    const kind = KINDS[number % KINDS.length] ?? KINDS[0]
    return { kind, timeMs: START_MS + number * STEP_MS, distinctId: `user-${number % USERS}` }
  }

  /** A range of time that holds the events before `count`. */
  range(count: number): { readonly from: string; readonly to: string } {
    return {
      from: new Date(START_MS).toISOString(),
      to: new Date(START_MS + (count + 1) * STEP_MS).toISOString(),
    }
  }

  /** A BatchCreate request in proto JSON. */
  body(numbers: readonly number[]): Buffer {
    return Buffer.from(`{"events":[${numbers.map((number) => this.#json(number)).join(',')}]}`)
  }

  /** The number of a stored event; `undefined` when it is none of this series. */
  numberOf(eventId: string): number | undefined {
    if (!eventId.startsWith(this.#prefix)) return undefined
    return Number.parseInt(eventId.slice(this.#prefix.length), 16)
  }

  #json(number: number): string {
    const { kind, timeMs, distinctId } = this.facts(number)
    const hex = number.toString(16).padStart(12, '0')
    const session = `5e551000-fa17-4000-8000-${(number % USERS).toString(16).padStart(12, '0')}`
    const custom = `{"number":{"intValue":${number}},"text":{"stringValue":"${'t'.repeat(number % 50)}"}}`
    return `{"eventId":"${this.#prefix}${hex}","kind":"${kind}","occurTime":"${new Date(timeMs).toISOString()}","distinctId":"${distinctId}","sessionId":"${session}","customProperties":${custom}}`
  }
}
