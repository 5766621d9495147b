import { ApiKeyKind } from '@contract/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../app/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox } from '../ui/async.tsx'
import { CodeBlock } from '../ui/code-block.tsx'

const PLACEHOLDER = 'pub_YOUR_PUBLIC_KEY'

/** Random, also on a page that came over plain HTTP from another host, where browsers have no `randomUUID`. */
function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  // Version 4, variant 1 of RFC 9562: the digits that say so have four bits, of which the second leaves two to chance.
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}

/** An event of now; its ids are in it, because not every system has a command that makes some. */
function curlOf({
  key,
  eventId,
  sessionId,
}: Readonly<Record<'key' | 'eventId' | 'sessionId', string>>): string {
  return `curl ${location.origin}/sdk.events.v1.EventsService/BatchCreate \\
  -H 'Content-Type: application/json' -H 'Connect-Protocol-Version: 1' \\
  -H 'x-api-key: ${key}' \\
  -d '{"events": [{
    "eventId": "${eventId}",
    "kind": "first_event",
    "occurTime": "'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'",
    "distinctId": "anon-1",
    "sessionId": "${sessionId}"
  }]}'`
}

function snippetOf(key: string): string {
  return `<script async src="${location.origin}/sdk.js" data-key="${key}"></script>`
}

/** What a project shows before its first event: a key, and two ways to send one. */
export function FirstRun(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [key, setKey] = createSignal('')
  const ids = { eventId: createUuid(), sessionId: createUuid() }
  const action = createAction()
  const create = async (): Promise<void> => {
    const { key: text } = await clientOf(ProjectsService).createApiKey({
      kind: ApiKeyKind.PUBLIC,
      displayName: 'First steps',
    })
    setKey(text)
  }
  const shownKey = (): string => (key() === '' ? PLACEHOLDER : key())
  return (
    <div class="first-run">
      <header class="page-head">
        <div>
          <h1>Send the first event</h1>
          <p class="quiet" role="status">
            <span class="pulse" aria-hidden="true" /> Waiting for it. This page turns into the live view when
            it comes.
          </p>
        </div>
      </header>
      <section class="card">
        <h2>1. A public key</h2>
        <p>
          The text of a key is shown once, when it is made, because only a digest is kept: if you no longer
          have one, create another. A public key can only send events, so it may be in a web page.
        </p>
        <Show
          when={key() !== ''}
          fallback={
            <Show
              when={may(ProjectsService.method.createApiKey)}
              fallback={<p>Ask an admin of {workspace().org.displayName} for a key.</p>}
            >
              <button
                type="button"
                class="button primary"
                disabled={action.isRunning()}
                onClick={() => action.run(create)}
              >
                Create a public key
              </button>
            </Show>
          }
        >
          <CodeBlock label="Public key" text={key()} />
        </Show>
        <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
      </section>
      <section class="card">
        <h2>2. An event</h2>
        <CodeBlock label="From a terminal" text={curlOf({ key: shownKey(), ...ids })} />
        <CodeBlock label="From a web page" text={snippetOf(shownKey())} />
      </section>
    </div>
  )
}
