import type { Call, Methods, Millrace, Options } from './api.ts'
import { connect } from './client.ts'
import { guard } from './guard.ts'

/** Calls before `init`, which may never come. */
const PENDING_MAX = 1000

const METHODS = ['track', 'page', 'identify', 'reset', 'setConsent', 'flush'] as const

let client: Partial<Methods> | undefined
let pending: Call[] = []

const push: Millrace['push'] = (call) =>
  guard(() => {
    const [name, ...args] = call
    if (client) (client[name] as ((...args: unknown[]) => void) | undefined)?.(...args)
    else if (pending.length < PENDING_MAX) pending.push(call)
  })

/** Product analytics of this page. */
export const millrace = {
  init: (options: Options) => guard(() => client || start(options)),
  push,
  ...Object.fromEntries(
    METHODS.map((name) => [name, (...args: unknown[]) => push([name, ...args] as never)]),
  ),
} as Millrace

const start = (options: Options): void => {
  let { consent } = options
  // Nothing is kept before what the page said of consent is heard.
  for (const [name, argument] of pending) if (name === 'setConsent') consent = argument
  client =
    consent === 'pending'
      ? {
          // Nothing is recorded until the visitor has chosen; only who they are waits for it.
          identify: (...args) => {
            pending = [['identify', ...args]]
          },
          reset: () => {
            pending = [['reset']]
          },
          setConsent: (chosen) => start({ ...options, consent: chosen }),
        }
      : connect({ ...options, consent })
  const calls = pending
  pending = []
  calls.forEach(push)
}
