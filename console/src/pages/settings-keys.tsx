import { timestampMs } from '@bufbuild/protobuf/wkt'
import { type ApiKey, ApiKeyKind } from '@contract/dashboard/projects/v1/project_pb.js'
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { formatDay } from '../app/format.ts'
import { useWorkspace } from '../app/workspace.ts'
import { rpc } from '../rpc/clients.ts'
import { createAction } from '../ui/action.ts'
import { Async, ErrorBox } from '../ui/async.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField, TextField } from '../ui/field.tsx'

const KINDS = { public: ApiKeyKind.PUBLIC, private: ApiKeyKind.PRIVATE } as const

/** The keys of the project: made, shown once, and ended. */
export function ApiKeys(): JSX.Element {
  const workspace = useWorkspace()
  const [keys, { refetch }] = createResource(async () => (await rpc.projects.listApiKeys({})).apiKeys)
  const [ending, setEnding] = createSignal<ApiKey>()
  return (
    <section class="card">
      <h2>API keys</h2>
      <Async of={keys} retry={() => void refetch()}>
        {(list) => (
          <section class="table-scroll" tabindex="0" aria-label="API keys">
            <table>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Key</th>
                  <th scope="col">Kind</th>
                  <th scope="col">Created</th>
                  <th scope="col">
                    <span class="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                <For each={list()}>
                  {(key) => (
                    <tr>
                      <td>{key.displayName}</td>
                      <td>
                        <code>{key.masked}</code>
                      </td>
                      <td>{key.kind === ApiKeyKind.PUBLIC ? 'public' : 'private'}</td>
                      <td>
                        {key.createTime ? formatDay(timestampMs(key.createTime), workspace().timeZone) : ''}
                      </td>
                      <td>
                        <button
                          type="button"
                          class="button danger"
                          aria-label={`Revoke ${key.displayName} ${key.masked}`}
                          onClick={() => setEnding(key)}
                        >
                          Revoke
                        </button>
                      </td>
                    </tr>
                  )}
                </For>
              </tbody>
            </table>
          </section>
        )}
      </Async>
      <CreateKey onCreated={() => void refetch()} />
      <Show when={ending()}>
        {(key) => (
          <RevokeKey
            apiKey={key()}
            onClose={() => {
              setEnding(undefined)
              void refetch()
            }}
          />
        )}
      </Show>
    </section>
  )
}

function CreateKey(props: { readonly onCreated: () => void }): JSX.Element {
  const [name, setName] = createSignal('')
  const [kind, setKind] = createSignal<keyof typeof KINDS>('public')
  const [text, setText] = createSignal('')
  const action = createAction()
  const create = async (): Promise<void> => {
    const created = await rpc.projects.createApiKey({ kind: KINDS[kind()], displayName: name() })
    setText(created.key)
    setName('')
    props.onCreated()
  }
  return (
    <>
      <form
        class="row end form-row"
        onSubmit={(event) => {
          event.preventDefault()
          action.run(create)
        }}
      >
        <TextField label="Name of a new key" required value={name()} onInput={setName} />
        <SelectField
          label="Kind"
          value={kind()}
          choices={[
            { value: 'public', label: 'Public: sends events' },
            { value: 'private', label: 'Private: reads and writes' },
          ]}
          onChange={setKind}
        />
        <button type="submit" class="button" disabled={action.isRunning()}>
          Create a key
        </button>
      </form>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
      <Show when={text()}>
        <CodeBlock label="The new key: it is shown this once" text={text()} />
      </Show>
    </>
  )
}

function RevokeKey(props: { readonly apiKey: ApiKey; readonly onClose: () => void }): JSX.Element {
  const action = createAction()
  const revoke = async (): Promise<void> => {
    await rpc.projects.deleteApiKey({ id: props.apiKey.id })
    props.onClose()
  }
  return (
    <Drawer title="Revoke this key?" look="dialog" onClose={props.onClose}>
      <p>
        Whatever uses <code>{props.apiKey.masked}</code> is refused within seconds.
      </p>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
      <button
        type="button"
        class="button danger"
        disabled={action.isRunning()}
        onClick={() => action.run(revoke)}
      >
        Revoke the key
      </button>
    </Drawer>
  )
}
