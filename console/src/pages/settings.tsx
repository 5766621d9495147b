import { createSignal, type JSX, Show } from 'solid-js'
import { isAdmin, useWorkspace } from '../app/workspace.ts'
import { rpc } from '../rpc/clients.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox } from '../ui/async.tsx'
import { TextField } from '../ui/field.tsx'
import { ApiKeys } from './settings-keys.tsx'
import { Invitations, Members } from './settings-members.tsx'

/** The project, its keys, and who may see it. */
export function SettingsPage(_props: { readonly rest: string }): JSX.Element {
  const workspace = useWorkspace()
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Settings</h1>
          <p class="quiet">
            {workspace().project.displayName} of {workspace().org.displayName}
          </p>
        </div>
      </header>
      <Show
        when={isAdmin(workspace().org)}
        fallback={
          <p>Admins of {workspace().org.displayName} change the project, its keys and its members.</p>
        }
      >
        <ProjectForm />
        <ApiKeys />
        <Members orgId={workspace().org.id} />
        <Invitations orgId={workspace().org.id} />
      </Show>
    </>
  )
}

function ProjectForm(): JSX.Element {
  const workspace = useWorkspace()
  const [name, setName] = createSignal(workspace().project.displayName)
  const [timeZone, setTimeZone] = createSignal(workspace().timeZone)
  const [isSaved, setSaved] = createSignal(false)
  const action = createAction()
  const save = async (): Promise<void> => {
    setSaved(false)
    await rpc.projects.updateMeta({ displayName: name(), reportingTimezone: timeZone() })
    setSaved(true)
    workspace().reload()
  }
  return (
    <section class="card">
      <h2>Project</h2>
      <form
        class="stack narrow"
        onSubmit={(event) => {
          event.preventDefault()
          action.run(save)
        }}
      >
        <TextField label="Name" required value={name()} onInput={setName} />
        <TextField
          label="Time zone of reports"
          required
          value={timeZone()}
          suggestions={Intl.supportedValuesOf('timeZone')}
          problem={action.failure()?.violations.get('reportingTimezone')}
          onInput={setTimeZone}
        />
        <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
        <div class="row">
          <button type="submit" class="button primary" disabled={action.isRunning()}>
            Save
          </button>
          <span role="status">{isSaved() ? 'Saved' : ''}</span>
        </div>
      </form>
    </section>
  )
}
