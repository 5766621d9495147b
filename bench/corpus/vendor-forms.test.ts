import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import RudderAnalytics from '@rudderstack/rudder-sdk-node'
import { Analytics } from '@segment/analytics-node'
import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visitEvents } from './fixtures.ts'
import { readVendorEvents } from './read-vendor-events.ts'
import { VENDOR_FORMS, VENDOR_KEY } from './vendor-forms.ts'

/** A body that an SDK has sent. */
type Sent = Readonly<Record<string, unknown>>

const [EVENT] = visitEvents(1)
const bodies: Buffer[] = []
let server: Server
let url = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      bodies.push(Buffer.concat(parts))
      response.end('{"status":1,"success":true}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

/** What our form of the vendor's request is, and what its SDK sends. */
async function bothOf(name: string, send: () => Promise<void>): Promise<readonly [ours: Sent, theirs: Sent]> {
  const form = VENDOR_FORMS.find((vendor) => vendor.name === name)
  if (!form || !EVENT) throw new Error(`there is no form ${name}`)
  bodies.length = 0
  await send()
  const body = bodies.at(-1) ?? Buffer.alloc(0)
  const text = body[0] === 0x1f ? gunzipSync(body) : body
  return [JSON.parse(JSON.stringify(form.write([EVENT], VENDOR_KEY))), JSON.parse(text.toString('utf8'))]
}

/** Names at every level but in lists, whose first item counts; values do not matter. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]))
}

test('posthog-node sends the fields of its form', async () => {
  const [ours, theirs] = await bothOf('posthog-node-20', async () => {
    const client = new PostHog(VENDOR_KEY, { host: url })
    const properties = { ...EVENT?.properties, path: '/', plan: 'pro' }
    client.capture({ distinctId: 'ann', event: 'page_view', properties })
    await client.shutdown()
  })
  expect(shapeOf(ours)).toEqual(shapeOf(theirs))
})

/** A page view as the SDKs of Segment's form take it. */
function trackedView() {
  return {
    event: 'page_view',
    anonymousId: 'anon-1',
    ...(EVENT?.isUser ? { userId: 'ann' } : {}),
    properties: { ...EVENT?.properties, plan: 'pro' },
    context: {
      page: { url: 'https://shop.example/', path: '/', title: 'Home', referrer: '' },
      userAgent: 'Mozilla/5.0',
      locale: 'de-DE',
    },
    timestamp: new Date(),
  }
}

test('@segment/analytics-node sends the fields of its form', async () => {
  const [ours, theirs] = await bothOf('segment-15', async () => {
    const client = new Analytics({ writeKey: VENDOR_KEY, host: url })
    client.track(trackedView())
    await client.closeAndFlush()
  })
  expect(shapeOf(ours)).toEqual(shapeOf(theirs))
})

test('@rudderstack/rudder-sdk-node sends the fields of its form', async () => {
  const [ours, theirs] = await bothOf('rudderstack-20', async () => {
    const client = new RudderAnalytics(VENDOR_KEY, { dataPlaneUrl: url })
    client.track(trackedView())
    await client.flush()
  })
  expect(shapeOf(ours)).toEqual(shapeOf(theirs))
})

describe.each(VENDOR_FORMS)('$name', (vendor) => {
  test('every event of a request is read', () => {
    const events = visitEvents(vendor.size)
    const json = Buffer.from(JSON.stringify(vendor.write(events, VENDOR_KEY)))
    expect(readVendorEvents(vendor, json)).toHaveLength(vendor.size)
  })
})
