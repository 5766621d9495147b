import { ApiKeyKind } from '@contract/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox } from '../ui/async.tsx'
import { CodeBlock } from '../ui/code-block.tsx'

const projectsClient = clientOf(ProjectsService)

const PLACEHOLDER = 'pub_YOUR_PUBLIC_KEY'

/** A random UUID. Pages on plain HTTP have no `randomUUID`. */
function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  // Version 4, variant 1 (RFC 9562): the digit of the variant has two random bits.
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}

/** A command that sends an event. Its IDs are in the text: not every system has a command to generate them. */
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

/** The page of a project without events: a key and two ways to send an event. */
export function FirstRun(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [key, setKey] = createSignal('')
  const ids = { eventId: createUuid(), sessionId: createUuid() }
  const action = createAction()
  const create = async (): Promise<void> => {
    const { key: text } = await projectsClient.createApiKey({
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
          <h1>Send your first event</h1>
          <p class="quiet" role="status">
            <span class="pulse" aria-hidden="true" /> Waiting for the first event
          </p>
        </div>
      </header>
      <section class="card">
        <h2>1. A public key</h2>
        <p>
          A key is shown once, because only its digest is stored: if you no longer have it, create another. A
          public key can only send events, so you can put it into a web page.
        </p>
        <Show
          when={key() !== ''}
          fallback={
            <Show
              when={may(ProjectsService.method.createApiKey)}
              fallback={<p>Request a key from an admin of {workspace().org.displayName}.</p>}
            >
              <button
                type="button"
                class="button primary"
                disabled={action.isRunning()}
                onClick={() => action.run(create)}
              >
                Create public key
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
