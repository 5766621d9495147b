/**
 * What the person allows. `granted`: ids and waiting events are kept in their browser. `denied`: nothing is kept, and events are
 * cookieless. `none`: nothing is kept, and nothing is recorded. `pending`, until they choose: nothing is recorded, and what an
 * earlier page kept stays untouched.
 */
export type Consent = 'granted' | 'denied' | 'none' | 'pending'

/** The connection of a page to its project. */
export interface Options {
  /** A public key of the project, `pub_...`. */
  readonly key: string
  /** The address of the service, without a slash at the end. */
  readonly url: string
  /** `granted` when left out; a browser that sends Global Privacy Control counts as `denied` whatever is said here. */
  readonly consent?: Consent | undefined
  /** Do Not Track counts as `denied` too. */
  readonly respectDnt?: boolean | undefined
  /** `manual`: only calls of `page` count as views. `auto` when left out. */
  readonly pageViews?: 'auto' | 'manual' | undefined
}

/** Values by name. Dates are times, objects and arrays travel as JSON; what has no form on the wire is left out. */
export type Properties = Readonly<Record<string, unknown>>

/** A call as `push` takes it. */
export type Call = {
  [Name in keyof Methods]: readonly [name: Name, ...args: Parameters<Methods[Name]>]
}[keyof Methods]

/** The methods of a page. Nothing here throws, and calls before `init` run after it. */
export interface Methods {
  /** Records an event; `time` (milliseconds or a Date) when it is not now. */
  track(kind: string, properties?: Properties, time?: number | Date): void
  /** Records a view of the page as it is now. */
  page(properties?: Properties): void
  /** Identifies the person; their earlier events under the anonymous id become theirs. Ignored without consent. */
  identify(externalId: string, traits?: Properties): void
  /** Forgets who the person is, as at a sign-out: the next event is of somebody new. */
  reset(): void
  /** Changes what the person allows. `denied` and `none` remove everything that was kept. */
  setConsent(consent: Exclude<Consent, 'pending'>): void
  /** Sends what waits without waiting for more. */
  flush(): void
}

/** `window.millrace` once the script is there, and what the package exports. */
export interface Millrace extends Methods {
  /** Connects the page; only the first call counts. */
  init(options: Options): void
  /** Does one call given as an array, as the stub before the script keeps them. */
  push(call: Call): void
}
