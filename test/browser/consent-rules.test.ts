import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/*
 * The rules of consent in the browser snippet without a browser: they are few, and a defect in one of them would break the law.
 * consent.test.ts has them in Chromium.
 */

const KEY = 'pub_x'
const USER = `millrace:${KEY}:user`

/** A module of the browser: the types of this folder have none. */
const CLIENT = '../../sdk/browser/src/client.ts'

interface Snippet {
  track(kind: string): void
  identify(externalId: string): void
  setConsent(consent: string): void
  flush(): void
}

interface SentEvent {
  readonly kind: string
  readonly distinctId?: string
  readonly cookieless?: boolean
}

/** A storage whose keys are its own properties, as those of a browser are. */
class PageStorage {
  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(Reflect.get(this, key)) : null
  }

  setItem(key: string, text: string): void {
    Reflect.set(this, key, text)
  }

  removeItem(key: string): void {
    Reflect.deleteProperty(this, key)
  }
}

let storage: PageStorage
let sent: SentEvent[]
let identified: number
/** What was stored while a request was on its way. */
let keysOfSending: string[]

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  storage = new PageStorage()
  sent = []
  identified = 0
  keysOfSending = []
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function load(consent: string, signals: object = {}, respectDnt = false): Promise<Snippet> {
  vi.stubGlobal('navigator', { onLine: true, language: 'de', ...signals })
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('document', { hidden: false, referrer: '', title: 'Lamps' })
  vi.stubGlobal('location', { href: 'https://shop.example/' })
  vi.stubGlobal('history', { pushState: () => undefined, replaceState: () => undefined })
  vi.stubGlobal('screen', { width: 1920, height: 1080 })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('fetch', async (url: string, { body }: { readonly body: string }) => {
    keysOfSending.push(...Object.keys(storage))
    if (url.includes('Identify')) identified++
    else sent.push(...(JSON.parse(body).events as readonly SentEvent[]))
    return new Response('{}')
  })
  const { connect } = await import(CLIENT)
  return connect({ key: KEY, url: '', consent, pageViews: 'manual', respectDnt })
}

async function act(snippet: Snippet): Promise<void> {
  snippet.identify('ann')
  snippet.track('read')
  snippet.flush()
  await vi.advanceTimersByTimeAsync(5000)
}

test('with consent, a person has an id that is stored', async () => {
  await act(await load('granted'))
  expect(sent).toMatchObject([{ kind: 'read', distinctId: 'ann' }])
  expect(sent[0]).not.toHaveProperty('cookieless')
  expect([identified, storage.getItem(USER)]).toEqual([1, 'ann'])
})

test.each<readonly [string, string, object, boolean]>([
  ['denied', 'denied', {}, false],
  ['anything else', 'no', {}, false],
  ['a signal of the browser', 'granted', { globalPrivacyControl: true }, false],
  ['Do Not Track where it is respected', 'granted', { doNotTrack: '1' }, true],
])('without consent there is no id and nothing is stored: %s', async (_, consent, signals, respectDnt) => {
  storage.setItem(USER, 'bob')
  await act(await load(consent, signals, respectDnt))
  expect(sent).toMatchObject([{ kind: 'read', cookieless: true }])
  expect(sent[0]).not.toHaveProperty('distinctId')
  expect([identified, keysOfSending, Object.keys(storage)]).toEqual([0, [], []])
})

test('Do Not Track that is not respected changes nothing', async () => {
  await act(await load('granted', { doNotTrack: '1' }))
  expect(sent).toMatchObject([{ distinctId: 'ann' }])
})

test('none records nothing and removes what was stored; what follows a later consent is of somebody new', async () => {
  storage.setItem(USER, 'bob')
  const snippet = await load('none')
  await act(snippet)
  expect([sent, identified, Object.keys(storage)]).toEqual([[], 0, []])
  snippet.setConsent('granted')
  snippet.track('later')
  snippet.flush()
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent).toMatchObject([{ kind: 'later', distinctId: expect.stringMatching(/^anon-/) }])
})

test('consent that is withdrawn removes what was stored, and events go on without an id', async () => {
  const snippet = await load('granted')
  await act(snippet)
  snippet.setConsent('denied')
  expect(Object.keys(storage)).toEqual([])
  sent = []
  keysOfSending = []
  await act(snippet)
  expect([sent, identified]).toMatchObject([[{ kind: 'read', cookieless: true }], 1])
  expect(keysOfSending).toEqual([])
})
