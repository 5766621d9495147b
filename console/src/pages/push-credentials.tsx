import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Form } from '../ui/form.tsx'
import { TextAreaField } from '../ui/text-area-field.tsx'

const projectsClient = clientOf(ProjectsService)

/** The public fields of a service account; its key is never returned. */
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
    await projectsClient.updateFCMServiceJSON({ fcmServiceJson })
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
        fallback={<p class="quiet">Without a Firebase service account, no campaign can be sent.</p>}
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
          <summary>{shown() ? 'Replace service account' : 'Set service account'}</summary>
          <CredentialsForm onSubmit={store} />
        </details>
        <Show when={shown()}>
          <button type="button" class="button danger" onClick={() => setAsking(true)}>
            Remove
          </button>
        </Show>
      </Show>
      <Show when={isAsking()}>
        <ConfirmDialog
          title="Remove this service account?"
          submit="Remove service account"
          onConfirm={async () => await store('')}
          onClose={() => setAsking(false)}
        >
          <p>Scheduled campaigns fail until you set another one.</p>
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
          label="The file of the service account, as downloaded"
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
