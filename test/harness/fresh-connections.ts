/**
 * Makes `fetch` open a connection for each request, so that a front that hands out connections in turn hands out requests
 * in turn. What `fetch` sends through is kept under a symbol that its library shares with all versions of itself.
 */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

type Dispatcher = { readonly constructor: new (options: { readonly pipelining: number }) => Dispatcher }

// It is made when `fetch` is first used.
await fetch('data:,')
const holder = globalThis as unknown as Record<symbol, Dispatcher | undefined>
const current = holder[DISPATCHER]
if (!current) throw new Error('fetch keeps its dispatcher elsewhere: requests would stay with one edge')
holder[DISPATCHER] = new current.constructor({ pipelining: 0 })
