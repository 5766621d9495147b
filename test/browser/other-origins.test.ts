import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { create, toBinary } from '@bufbuild/protobuf'
import { timestampNow } from '@bufbuild/protobuf/wkt'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BatchCreateRequestSchema } from '../../src/contract/gen/sdk/events/v1/events_service_pb.js'
import { hasChromium, launchChromium } from '../harness/chromium.ts'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'

const BATCH_CREATE = 'sdk.events.v1.EventsService/BatchCreate'
const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'
const SUBSCRIBE = 'sdk.devices.v1.DevicesService/Subscribe'
const QUERY = 'shared.insights.v1.InsightsService/Query'
const SIGN_IN = 'public.auth.v1.AuthService/SignInWithEmail'
const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'

describe.skipIf(!hasChromium())('pages of other origins', () => {
  let service: TestService
  let browser: Browser
  let sites: readonly Server[] = []
  let page: Page
  let listed: Page

  beforeAll(async () => {
    sites = await Promise.all([startSite(), startSite()])
    const [address = '', listedAddress = ''] = sites.map(addressOf)
    service = await TestService.start({ SERVICE_CORS_ORIGINS: listedAddress })
    browser = await launchChromium()
    page = await openSite(address)
    listed = await openSite(listedAddress)
  })

  afterAll(async () => {
    await browser?.close()
    await service?.destroy()
    for (const site of sites) site.close()
  })

  async function openSite(address: string): Promise<Page> {
    const opened = await browser.newPage()
    await opened.goto(address)
    return opened
  }

  /** The status that a script of the page reads, with the cookies of the service; `blocked` when it may read nothing. */
  async function callFrom(from: Page, path: string, headers: object, credentials: string): Promise<unknown> {
    const init = JSON.stringify({
      method: 'POST',
      body: '{}',
      credentials,
      headers: { 'content-type': 'application/json', ...headers },
    })
    return await from.evaluate(
      `fetch('${service.url}/${path}', ${init}).then(({ status }) => status, () => 'blocked')`,
    )
  }

  test('send beacons of protobuf, which need a preflight and bring credentials', async () => {
    const kind = 'beacon_of_protobuf'
    const event = {
      eventId: crypto.randomUUID(),
      kind,
      occurTime: timestampNow(),
      distinctId: 'visitor',
      sessionId: crypto.randomUUID(),
    }
    const batch = toBinary(BatchCreateRequestSchema, create(BatchCreateRequestSchema, { events: [event] }))
    const address = `${service.url}/${BATCH_CREATE}?api_key=${PUBLIC_KEY}`
    const isQueued = await page.evaluate(
      `navigator.sendBeacon('${address}', new Blob([new Uint8Array([${batch}])], { type: 'application/proto' }))`,
    )
    expect(isQueued).toBe(true)
    await waitFor('the event of the beacon', async () => {
      const { body } = await service.call(EXPLORER, { events: [{ kind }] })
      return Array.isArray(body.events) && body.events.length > 0 ? true : undefined
    })
  })

  test.each([BATCH_CREATE, IDENTIFY, SUBSCRIBE])('read the answers of %s, errors included', async (path) => {
    expect(await callFrom(page, path, { 'x-api-key': 'pub_unknown' }, 'include')).toBe(401)
    expect(await callFrom(page, path, { 'x-api-key': PUBLIC_KEY }, 'include')).not.toBe('blocked')
    expect(await callFrom(page, path, { 'content-type': 'application/x-unknown' }, 'include')).toBe(415)
  })

  test.each([QUERY, SIGN_IN])('read nothing of %s, unless the settings list them', async (path) => {
    expect(await callFrom(page, path, {}, 'same-origin')).toBe('blocked')
    expect(await callFrom(listed, path, {}, 'same-origin')).toBeTypeOf('number')
    expect(await callFrom(listed, path, {}, 'include')).toBe('blocked')
  })

  test('read nothing of the sign-in of the console, even if the settings list them', async () => {
    expect(await callFrom(listed, 'console/session/RefreshSession', {}, 'include')).toBe('blocked')
  })
})

/** A true server: where pages come from a route of the test, the browser's preflights never leave it. */
async function startSite(): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Site</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function addressOf(server: Server): string {
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
