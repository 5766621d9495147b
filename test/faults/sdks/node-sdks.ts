import { createInstance } from '@amplitude/analytics-node'
import RudderAnalytics from '@rudderstack/rudder-sdk-node'
import { Analytics } from '@segment/analytics-node'
import Mixpanel from 'mixpanel'
import { PostHog } from 'posthog-node'
import { sleep } from '../../../src/kernel/clock.ts'
import { PUBLIC_KEY } from '../../harness/service.ts'

/** An SDK that sends numbered events of one kind. */
export interface OpenSdk {
  /** Hands an event to the SDK, which sends it when it likes. */
  send(number: number): void
  /** Resolves when the SDK has delivered everything or given it up. */
  close(): Promise<void>
}

/** Starts an SDK that sends to an address. `hasArrived` tells whether the service has acknowledged all of its events. */
export type StartSdk = (url: string, hasArrived: () => boolean) => Promise<OpenSdk>

/** SDKs that send at the same time. */
export interface SdkFleet {
  readonly sdks: Readonly<Record<string, StartSdk>>
  /** How often each SDK gets an event. */
  readonly eventMs: number
  /** SDKs that go on until each has sent again what the service had acknowledged. */
  readonly repeating: readonly string[]
  /** The person of an event. */
  userOf(name: string, number: number): string
}

/** The SDKs for Node.js, unchanged and set up as their documents tell; more retries than by default, where they can be set. */
export const NODE_SDKS = {
  posthog: async (url) => openPosthog(url, 'posthog'),
  posthog_v1: async (url) => {
    process.env.POSTHOG_CAPTURE_MODE = 'v1'
    try {
      return openPosthog(url, 'posthog_v1')
    } finally {
      delete process.env.POSTHOG_CAPTURE_MODE
    }
  },
  segment: openSegment,
  rudderstack: openRudder,
  amplitude: openAmplitude,
  mixpanel: openMixpanel,
} as const satisfies Record<string, StartSdk>

/** All of them. */
export const NODE_FLEET: SdkFleet = {
  sdks: NODE_SDKS,
  eventMs: 40,
  repeating: [],
  userOf: (_, number) => userOf(number),
}

/** The kind of the events of an SDK. */
export function kindOfSdk(name: string): string {
  return `fault_${name}`
}

function userOf(number: number): string {
  return `user-${number % 97}`
}

/** Attempts of an SDK, and of the loop around one that has none. */
const ATTEMPTS_MAX = 200
const CLOSE_MS_MAX = 120_000
const MIXPANEL_MS_MAX = 5_000

function openPosthog(url: string, name: string): OpenSdk {
  const client = new PostHog(PUBLIC_KEY, {
    host: `${url}/posthog`,
    fetchRetryCount: ATTEMPTS_MAX,
    fetchRetryDelay: 300,
    flushAt: 10,
    flushInterval: 200,
  })
  return {
    send: (number) =>
      client.capture({ distinctId: userOf(number), event: kindOfSdk(name), properties: { number } }),
    close: async () => await client.shutdown(CLOSE_MS_MAX),
  }
}

async function openSegment(url: string): Promise<OpenSdk> {
  const client = new Analytics({
    writeKey: PUBLIC_KEY,
    host: url,
    flushAt: 10,
    flushInterval: 200,
    maxRetries: ATTEMPTS_MAX,
  })
  return {
    send: (number) =>
      client.track({ userId: userOf(number), event: kindOfSdk('segment'), properties: { number } }),
    close: async () => await client.closeAndFlush({ timeout: CLOSE_MS_MAX }),
  }
}

/** Its own retries double their delay, so that nine of them span an outage of a minute. */
async function openRudder(url: string): Promise<OpenSdk> {
  const client = new RudderAnalytics(PUBLIC_KEY, {
    dataPlaneUrl: `${url}/segment`,
    flushAt: 10,
    flushInterval: 200,
    retryCount: 9,
    logLevel: 'none',
    // Without a handler, an error is thrown where nobody can catch it.
    errorHandler: () => undefined,
  })
  let left = 0
  return {
    send: (number) => {
      left++
      const event = {
        userId: userOf(number),
        event: kindOfSdk('rudderstack'),
        properties: { number },
      }
      client.track(event, () => {
        left--
      })
    },
    close: async () => {
      const giveUpMs = performance.now() + CLOSE_MS_MAX
      while (left > 0 && performance.now() < giveUpMs) {
        await client.flush().catch(() => undefined)
        await sleep(50)
      }
    },
  }
}

async function openAmplitude(url: string): Promise<OpenSdk> {
  const client = createInstance()
  const options = {
    serverUrl: `${url}/amplitude/2/httpapi`,
    flushIntervalMillis: 200,
    flushQueueSize: 10,
    flushMaxRetries: ATTEMPTS_MAX,
    logLevel: 0,
  }
  await client.init(PUBLIC_KEY, options).promise
  const ends: Promise<unknown>[] = []
  return {
    send: (number) => {
      const event = client.track(kindOfSdk('amplitude'), { number }, { user_id: userOf(number) })
      ends.push(event.promise)
    },
    close: async () => {
      await Promise.all(ends)
    },
  }
}

/** Mixpanel's SDK never repeats a call: its user does, with the same id and the same time. */
async function openMixpanel(url: string): Promise<OpenSdk> {
  const { host } = new URL(url)
  const client = Mixpanel.init(PUBLIC_KEY, { protocol: 'http', host, path: '/mixpanel', keepAlive: false })
  const ends: Promise<void>[] = []
  const send = async (number: number): Promise<void> => {
    const event = {
      distinct_id: userOf(number),
      $insert_id: `fault-${number}`,
      time: Math.floor(Date.now() / 1000),
      number,
    }
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const error = await new Promise((resolve) => {
        client.track(kindOfSdk('mixpanel'), { ...event }, resolve)
        // An answer that is cut in the middle is never reported.
        setTimeout(() => resolve('no answer in time'), MIXPANEL_MS_MAX)
      })
      if (error === undefined) return
      await sleep(300)
    }
  }
  return {
    send: (number) => void ends.push(send(number)),
    close: async () => {
      await Promise.all(ends)
    },
  }
}
