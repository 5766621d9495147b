import { vendorSamples } from './vendor-samples.ts'

/** A way to send events that works with this release. */
export type Way = 'snippet' | 'npm' | 'sdk' | 'server' | 'curl'

/** The ways in the order of their cards. */
export const WAYS = ['snippet', 'npm', 'sdk', 'server', 'curl'] as const satisfies readonly Way[]

/** A text to copy. */
export interface Sample {
  /** Its language or tool, which needs no translation. */
  readonly label: string
  readonly text: string
  /** Lines of other code that lines of the text replace, by the index of the line. */
  readonly replaced?: Readonly<Record<number, string>>
  /** The page of the documentation about it. */
  readonly page?: string
}

/** The facts that samples contain. */
export interface SampleFacts {
  /** The origin of the service, as this page reaches it. */
  readonly origin: string
  /** A public key, or a placeholder. */
  readonly key: string
  /** Ids in the text, because not every system has a command that generates them. */
  readonly eventId: string
  readonly sessionId: string
}

/** Automatic records of the snippet. */
export interface SnippetOptions {
  readonly pageViews: 'automatic' | 'manual'
  readonly identity: 'stored' | 'cookieless'
}

const BATCH_CREATE = 'sdk.events.v1.EventsService/BatchCreate'
const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'

/** The samples of a way, which are alternatives: step 2 of the page. */
export function samplesOf(way: Way, facts: SampleFacts, options: SnippetOptions): readonly Sample[] {
  return {
    snippet: () => [{ label: 'HTML', text: snippetOf(facts, options) }],
    npm: () => [
      {
        label: 'Shell',
        text: 'npm install ./millrace/sdk/browser\nnpm install ./millrace/sdk/react  # React, Next.js',
      },
      { label: 'TypeScript', text: initOf(facts, options) },
      { label: 'React', text: providerOf('@millrace/react', facts, options) },
      { label: 'Next.js', text: providerOf('@millrace/react/next', facts, options) },
    ],
    sdk: () => vendorSamples(facts),
    server: () => [
      { label: 'Node.js', text: nodeOf(facts) },
      { label: 'Python', text: pythonOf(facts) },
    ],
    curl: () => [{ label: 'Shell', text: curlOf(facts, { kind: 'first_event', plan: undefined }) }],
  }[way]()
}

/** How a way records an action and who did it: step 3 of the page. */
export function recordingOf(
  way: Way,
  facts: SampleFacts,
): { readonly action: string; readonly identity: string } {
  const calls = {
    action: `track('signup', { plan: 'pro' })`,
    identity: `identify('user-7234', {\n  email: 'ada@example.org',\n})`,
  }
  if (way === 'npm') return calls
  if (way === 'snippet') {
    return {
      action: `millrace.push(['track', 'signup',\n  { plan: 'pro' }])`,
      identity: `millrace.push(['identify', 'user-7234',\n  { email: 'ada@example.org' }])`,
    }
  }
  return { action: curlOf(facts, { kind: 'signup', plan: 'pro' }), identity: curlIdentifyOf(facts) }
}

function snippetOf({ origin, key }: SampleFacts, { pageViews, identity }: SnippetOptions): string {
  const attributes = [
    `src="${origin}/sdk.js"`,
    `data-key="${key}"`,
    ...(pageViews === 'manual' ? ['data-page-views="manual"'] : []),
    ...(identity === 'cookieless' ? ['data-consent="denied"'] : []),
  ]
  return `<script async\n  ${attributes.join('\n  ')}\n></script>`
}

function initOf({ origin, key }: SampleFacts, { pageViews, identity }: SnippetOptions): string {
  const options = [
    `key: '${key}',`,
    `url: '${origin}',`,
    ...(pageViews === 'manual' ? [`pageViews: 'manual',`] : []),
    ...(identity === 'cookieless' ? [`consent: 'denied',`] : []),
  ]
  return `import { identify, init, track } from '@millrace/browser'\n\ninit({\n  ${options.join('\n  ')}\n})`
}

function providerOf(
  name: string,
  { origin, key }: SampleFacts,
  { pageViews, identity }: SnippetOptions,
): string {
  const props = [
    `apiKey="${key}"`,
    `url="${origin}"`,
    ...(pageViews === 'manual' ? [`pageViews="manual"`] : []),
    ...(identity === 'cookieless' ? [`consent="denied"`] : []),
  ]
  return `import { MillraceProvider } from '${name}'\n\n<MillraceProvider\n  ${props.join('\n  ')}\n>\n  {children}\n</MillraceProvider>`
}

function nodeOf({ origin, key }: SampleFacts): string {
  return `const response = await fetch('${origin}/${BATCH_CREATE}', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'connect-protocol-version': '1',
    'x-api-key': '${key}',
  },
  body: JSON.stringify({
    events: [{
      eventId: crypto.randomUUID(),
      kind: 'order_paid',
      occurTime: new Date().toISOString(),
      distinctId: 'user-7234',
      sessionId: crypto.randomUUID(),
      customProperties: { plan: { stringValue: 'pro' } },
    }],
  }),
})
console.log(response.status, await response.text())`
}

function pythonOf({ origin, key }: SampleFacts): string {
  return `import json, time, urllib.request, uuid

event = {
    "eventId": str(uuid.uuid4()),
    "kind": "order_paid",
    "occurTime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    "distinctId": "user-7234",
    "sessionId": str(uuid.uuid4()),
    "customProperties": {"plan": {"stringValue": "pro"}},
}
request = urllib.request.Request(
    "${origin}/${BATCH_CREATE}",
    json.dumps({"events": [event]}).encode(),
    {
        "Content-Type": "application/json",
        "Connect-Protocol-Version": "1",
        "x-api-key": "${key}",
    },
)
print(urllib.request.urlopen(request).read().decode())`
}

function curlOf(
  { origin, key, eventId, sessionId }: SampleFacts,
  { kind, plan }: { readonly kind: string; readonly plan: string | undefined },
): string {
  const properties =
    plan === undefined ? '' : `,\n    "customProperties": {"plan": {"stringValue": "${plan}"}}`
  return `curl ${origin}/${BATCH_CREATE} \\
  -H 'Content-Type: application/json' \\
  -H 'Connect-Protocol-Version: 1' \\
  -H 'x-api-key: ${key}' \\
  -d '{"events": [{
    "eventId": "${eventId}",
    "kind": "${kind}",
    "occurTime": "'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'",
    "distinctId": "anon-1",
    "sessionId": "${sessionId}"${properties}
  }]}'`
}

function curlIdentifyOf({ origin, key }: SampleFacts): string {
  return `curl ${origin}/${IDENTIFY} \\
  -H 'Content-Type: application/json' \\
  -H 'Connect-Protocol-Version: 1' \\
  -H 'x-api-key: ${key}' \\
  -d '{
    "externalId": "user-7234",
    "anonymousId": "anon-1",
    "traits": {"email": "ada@example.org"}
  }'`
}
