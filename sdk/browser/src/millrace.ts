import type { Call, Methods, Millrace, Options } from './api.ts'
import { createClient } from './client.ts'

/** Calls before `init`, which may never come. */
const PENDING_MAX = 1000

let client: Methods | undefined
let pending: Call[] = []

/** Product analytics of this page. */
export const millrace: Millrace = {
  init: (options) => guard(() => connect(options)),
  push: (call) =>
    guard(() => {
      if (client) perform(client, call)
      else if (pending.length < PENDING_MAX) pending.push(call)
    }),
  track: caller('track'),
  page: caller('page'),
  identify: caller('identify'),
  reset: caller('reset'),
  setConsent: caller('setConsent'),
  flush: caller('flush'),
}

function caller<Name extends keyof Methods>(name: Name): Methods[Name] {
  return (...args: unknown[]) => millrace.push([name, ...args] as unknown as Call)
}

function connect(options: Options): void {
  if (client) return
  let { consent } = options
  // Nothing is kept before what the page said of consent is heard.
  for (const [name, argument] of pending) if (name === 'setConsent') consent = argument
  client = createClient({ ...options, consent }, guard)
  const calls = pending
  pending = []
  calls.forEach(millrace.push)
}

function perform(methods: Methods, [name, ...args]: Call): void {
  const method: (...args: never[]) => void = methods[name]
  method(...(args as never[]))
}

/** The page goes on, whatever goes wrong here. */
function guard(work: () => void): void {
  try {
    work()
  } catch {
    // No caller is left that could handle it.
  }
}
