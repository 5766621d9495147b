/** A call of an SDK in the page: the path of the method below `window.sdk`, and its arguments. */
export type Call = readonly [method: string, ...args: readonly unknown[]]

/** What happens in a session, one after the other. */
export type Step =
  /** Opens a page of the site, which ends the one before, and waits for the SDK. */
  | { readonly visit: string }
  | { readonly calls: readonly Call[] }
  /** The calls, while the service answers 503 to everything. */
  | { readonly outage: readonly Call[] }
  | { readonly click: string }
  /** Waits for an expression to be true in the page. */
  | { readonly until: string }
  /** Waits until so many requests to such an address have come, those that were repeated included. */
  | { readonly sent: RegExp; readonly times: number }
  /** Waits until the project has so many events. */
  | { readonly stored: number }
  /** Waits until the project has traits of a user. */
  | { readonly profile: string }

/** A row as it must be stored. A name that begins with `~` stands for an id that the SDK or the service makes. */
export interface ExpectedRow {
  readonly kind: string
  readonly who: string
  readonly session: string
  /** Automatic properties that differ from those of the session. */
  readonly auto?: Readonly<Record<string, string>>
  /** All properties of the caller. */
  readonly custom: Readonly<Record<string, unknown>>
}

/** An answer of an insight over the whole session. */
export interface ExpectedAnswer {
  readonly kind: string
  readonly aggregation: 'TOTAL' | 'UNIQUE_USERS' | 'SUM'
  readonly property?: string
  /** Users that are counted only when a question asks for them. */
  readonly includeCookieless?: boolean
  readonly total: number
}

/** A form of requests that an SDK chooses by itself. */
export type Form = 'gzip' | 'beacon'

/** Where an SDK sends to. */
export interface Target {
  readonly url: string
  readonly key: string
}

/** Everything that a project has after a session. */
export interface Expectation {
  readonly rows: readonly ExpectedRow[]
  /** Anonymous id → user. */
  readonly claims: Readonly<Record<string, string>>
  /** Traits by user. */
  readonly traits: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly answers: readonly ExpectedAnswer[]
}

/** A session of an unchanged SDK in a browser: what it calls, and what the service must have then. */
export interface BrowserSession {
  readonly name: string
  /** The script of the SDK. */
  readonly script: () => Promise<string>
  /** Paths of requests whose first answer is lost. */
  readonly lost: RegExp
  /** JavaScript that makes `window.sdk` in each page, as soon as the SDK takes calls. */
  readonly start: (target: Target) => string
  readonly steps: readonly Step[]
  /** Names of properties that the SDK adds by itself, beside automatic ones: they depend on its version and the page. */
  readonly added?: RegExp
  /** Automatic properties of every row that does not differ; those of `COMPARED` that are not named are absent. */
  readonly auto: Readonly<Record<string, string>>
  /** Forms that some of its events must have come in. */
  readonly forms?: readonly Form[]
  readonly expected: Expectation
}

/** Automatic properties that are compared; the others depend on the machine. */
export const COMPARED = [
  '$pathname',
  '$title',
  '$referrerDomain',
  '$utmSource',
  '$browser',
  '$deviceType',
  '$lib',
] as const

/** The first page of every session. */
export const PATH = '/lamps?utm_source=news'

/** Values of every kind as a caller has them, and as properties. */
export const VALUES = {
  sent: {
    size: 'Größe 🌊',
    list: [1, 'a'],
    nested: { a: 'b' },
    nothing: null,
    price: 9.5,
    isNew: true,
    nan: Number.NaN,
  },
  stored: { size: 'Größe 🌊', list: '[1,"a"]', nested: '{"a":"b"}', price: 9.5, isNew: true },
} as const

/** Values beyond the limits: a text, of which the beginning is stored, and two that are not stored. */
export const LONG = {
  sent: { text: '𝄞'.repeat(2000), infinite: 1 / 0, ['k'.repeat(300)]: 1 },
  stored: { text: '𝄞'.repeat(1024) },
} as const

/** People of a session, one after the other in the same browser. */
export const PEOPLE: readonly number[] = Array.from({ length: 20 }, (_, person) => person)

/** What the order of a person is worth. */
export function priceOf(person: number): number {
  return 9.5 + person
}

/** What the orders of all people are worth. */
export const REVENUE = PEOPLE.reduce((sum, person) => sum + priceOf(person), 0)

/** The name of a person. */
export function nameOf(person: number): string {
  return `Ann Über ${person} 🌊`
}

const PART_PEOPLE = 4

/**
 * The calls of four people at a time. What they send is stored before the next four: browsers refuse more than 64 KiB of `keepalive`
 * requests at once.
 */
export function callInParts(
  callsOf: (person: number) => readonly Call[],
  { before, rowsEach }: { readonly before: number; readonly rowsEach: number },
): readonly Step[] {
  const ends = PEOPLE.map((person) => person + 1).filter((end) => end % PART_PEOPLE === 0)
  return ends.flatMap((end) => [
    { calls: PEOPLE.slice(end - PART_PEOPLE, end).flatMap(callsOf) },
    { stored: before + rowsEach * end },
  ])
}
