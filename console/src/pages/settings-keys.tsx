import { timestampMs } from '@bufbuild/protobuf/wkt'
import { type ApiKey, ApiKeyKind } from '@contract/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { formatDay } from '../format/values.ts'
import { clientOf } from '../rpc/client.ts'
import { Async } from '../ui/async.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'

const projectsClient = clientOf(ProjectsService)

const KINDS = { public: ApiKeyKind.PUBLIC, private: ApiKeyKind.PRIVATE } as const

/** The API keys of the project. */
export function ApiKeys(): JSX.Element {
  const [keys, { refetch }] = createResource(async () => (await projectsClient.listApiKeys({})).apiKeys)
  const [ending, setEnding] = createSignal<ApiKey>()
  const revoke = async ({ id }: ApiKey): Promise<void> => {
    await projectsClient.deleteApiKey({ id })
    await refetch()
  }
  return (
    <section class="card">
      <h2>API keys</h2>
      <Async of={keys} retry={() => void refetch()}>
        {(list) => <KeyTable keys={list()} onRevoke={setEnding} />}
      </Async>
      <CreateKey onCreated={() => void refetch()} />
      <Show when={ending()}>
        {(key) => (
          <ConfirmDialog
            title="Revoke this key?"
            submit="Revoke key"
            onConfirm={async () => await revoke(key())}
            onClose={() => setEnding(undefined)}
          >
            <p>
              Clients that use <code>{key().masked}</code> are rejected within seconds.
            </p>
          </ConfirmDialog>
        )}
      </Show>
    </section>
  )
}

function KeyTable(props: {
  readonly keys: readonly ApiKey[]
  readonly onRevoke: (key: ApiKey) => void
}): JSX.Element {
  const workspace = useWorkspace()
  return (
    <section class="table-scroll" tabindex="0" aria-label="API keys">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Type</th>
            <th scope="col">Created</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.keys}>
            {(key) => (
              <tr>
                <td>{key.displayName}</td>
                <td>
                  <code>{key.masked}</code>
                </td>
                <td>{key.kind === ApiKeyKind.PUBLIC ? 'public' : 'private'}</td>
                <td>{key.createTime ? formatDay(timestampMs(key.createTime), workspace().timeZone) : ''}</td>
                <td class="last-cell">
                  <button
                    type="button"
                    class="button danger"
                    aria-label={`Revoke ${key.displayName} ${key.masked}`}
                    onClick={() => props.onRevoke(key)}
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
  )
}

function CreateKey(props: { readonly onCreated: () => void }): JSX.Element {
  const [name, setName] = createSignal('')
  const [kind, setKind] = createSignal<keyof typeof KINDS>('public')
  const [text, setText] = createSignal('')
  const create = async (): Promise<void> => {
    const created = await projectsClient.createApiKey({ kind: KINDS[kind()], displayName: name() })
    setText(created.key)
    setName('')
    props.onCreated()
  }
  return (
    <>
      <Form submit="Create key" look="row" tone="plain" onSubmit={create}>
        {(problem) => (
          <>
            <TextField
              label="Name of a new key"
              required
              value={name()}
              problem={problem('displayName')}
              onInput={setName}
            />
            <SelectField
              label="Type"
              value={kind()}
              choices={[
                { value: 'public', label: 'Public: sends events' },
                { value: 'private', label: 'Private: reads and writes' },
              ]}
              onChange={setKind}
            />
          </>
        )}
      </Form>
      <Show when={text()}>
        <CodeBlock label="Copy this key now. You cannot see it again." text={text()} />
      </Show>
    </>
  )
}
