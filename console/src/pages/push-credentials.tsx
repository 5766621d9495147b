import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../app/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Form } from '../ui/form.tsx'
import { TextAreaField } from '../ui/text-area-field.tsx'

/** What the service shows of a service account: never its key. */
interface ShownAccount {
  readonly project_id?: string
  readonly client_email?: string
}

/** The service account that notifications of the project are sent with. */
export function PushCredentials(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [isAsking, setAsking] = createSignal(false)
  const store = async (fcmServiceJson: string): Promise<void> => {
    await clientOf(ProjectsService).updateFCMServiceJSON({ fcmServiceJson })
    await workspace().reload()
  }
  const shown = (): ShownAccount | undefined => {
    const { fcmServiceJson } = workspace().project
    return fcmServiceJson === '' ? undefined : JSON.parse(fcmServiceJson)
  }
  return (
    <section class="card">
      <h2>Firebase</h2>
      <Show
        when={shown()}
        fallback={<p class="quiet">Without a service account of Firebase no campaign can be sent.</p>}
      >
        {(account) => (
          <dl class="facts">
            <dt>Project of Firebase</dt>
            <dd>{account().project_id}</dd>
            <dt>Service account</dt>
            <dd>{account().client_email}</dd>
          </dl>
        )}
      </Show>
      <Show when={may(ProjectsService.method.updateFCMServiceJSON)}>
        <details class="more">
          <summary>{shown() ? 'Another service account' : 'Set a service account'}</summary>
          <CredentialsForm onSubmit={store} />
        </details>
        <Show when={shown()}>
          <button type="button" class="button danger" onClick={() => setAsking(true)}>
            Forget it
          </button>
        </Show>
      </Show>
      <Show when={isAsking()}>
        <ConfirmDialog
          title="Forget this service account?"
          submit="Forget the service account"
          onConfirm={async () => await store('')}
          onClose={() => setAsking(false)}
        >
          <p>Campaigns that wait will fail until there is another one.</p>
        </ConfirmDialog>
      </Show>
    </section>
  )
}

function CredentialsForm(props: { readonly onSubmit: (text: string) => Promise<void> }): JSX.Element {
  const [text, setText] = createSignal('')
  const save = async (): Promise<void> => {
    await props.onSubmit(text())
    setText('')
  }
  return (
    <Form submit="Save" done="Saved" onSubmit={save}>
      {(problem) => (
        <TextAreaField
          label="The file of the service account, as it was downloaded"
          rows={5}
          required
          value={text()}
          problem={problem('fcm_service_json')}
          onInput={setText}
        />
      )}
    </Form>
  )
}
