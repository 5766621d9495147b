import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { navigate } from '../context/router.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { useProject } from '../rpc/session.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CheckField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { ApiKeys } from './settings-keys.tsx'
import { ZoneField } from './zone-field.tsx'

const projectsClient = clientOf(ProjectsService)

const { updateMeta, listApiKeys, delete: deleteMethod } = ProjectsService.method

/** The name, the time zone and the API keys of the project, and its deletion. */
export function ProjectSettings(): JSX.Element {
  const may = useMay()
  return (
    <>
      <Show when={may(updateMeta)} fallback={<ProjectFacts />}>
        <ProjectForm />
      </Show>
      <Show when={may(listApiKeys)}>
        <ApiKeys />
      </Show>
      <Show when={may(deleteMethod)}>
        <DeleteProject />
      </Show>
    </>
  )
}

function ProjectFacts(): JSX.Element {
  const workspace = useWorkspace()
  return (
    <section class="card">
      <h2>Project</h2>
      <dl class="facts">
        <dt>Name</dt>
        <dd>{workspace().project.displayName}</dd>
        <dt>Time zone of reports</dt>
        <dd>{workspace().timeZone}</dd>
      </dl>
      <p class="quiet small">Admins of {workspace().org.displayName} change the project and its keys.</p>
    </section>
  )
}

function ProjectForm(): JSX.Element {
  const workspace = useWorkspace()
  const [name, setName] = createSignal(workspace().project.displayName)
  const [timeZone, setTimeZone] = createSignal(workspace().timeZone)
  const [excludeBots, setExcludeBots] = createSignal(workspace().project.excludeBots)
  const save = async (): Promise<void> => {
    await projectsClient.updateMeta({
      displayName: name(),
      reportingTimezone: timeZone(),
      excludeBots: excludeBots(),
    })
    await workspace().reload()
  }
  return (
    <section class="card">
      <h2>Project</h2>
      <Form submit="Save" done="Saved" onSubmit={save}>
        {(problem) => (
          <>
            <TextField
              label="Name"
              required
              value={name()}
              problem={problem('displayName')}
              onInput={setName}
            />
            <ZoneField value={timeZone()} problem={problem('reportingTimezone')} onInput={setTimeZone} />
            <CheckField
              label="New insights leave out bots"
              isChecked={excludeBots()}
              onChange={setExcludeBots}
            />
          </>
        )}
      </Form>
    </section>
  )
}

function DeleteProject(): JSX.Element {
  const workspace = useWorkspace()
  const [isAsking, setAsking] = createSignal(false)
  const name = (): string => workspace().project.displayName
  const remove = async (): Promise<void> => {
    const { reload } = workspace()
    await projectsClient.delete({})
    // Calls that name the project are rejected from now on.
    useProject('')
    await reload()
    navigate('/', 'replace')
  }
  return (
    <section class="card">
      <h2>Delete this project</h2>
      <p class="quiet">
        Its keys stop working at once. Its events, people, dashboards and campaigns are deleted.
      </p>
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        Delete the project
      </button>
      <Show when={isAsking()}>
        <ConfirmDialog
          title="Delete this project?"
          submit="Delete for good"
          typed={{ label: 'Type the name of the project to confirm', text: name() }}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>
            This deletes <strong>{name()}</strong> with its keys, events, people, dashboards, campaigns and
            devices. You cannot undo it.
          </p>
        </ConfirmDialog>
      </Show>
    </section>
  )
}
