import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { CreateProject } from './create-project.tsx'

const orgsClient = clientOf(OrgsService)

/** The name of the organisation and its projects. */
export function OrganisationSettings(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  return (
    <>
      <Show when={may(OrgsService.method.updateDisplayName)}>
        <RenameOrganisation />
      </Show>
      <section class="card">
        <h2>Projects of {workspace().org.displayName}</h2>
        <ProjectList />
        <Show when={may(ProjectsService.method.create)}>
          <CreateProject orgId={workspace().org.id} reload={workspace().reload} />
        </Show>
      </section>
    </>
  )
}

function RenameOrganisation(): JSX.Element {
  const workspace = useWorkspace()
  const [name, setName] = createSignal(workspace().org.displayName)
  const save = async (): Promise<void> => {
    await orgsClient.updateDisplayName({ orgId: workspace().org.id, displayName: name() })
    await workspace().reload()
  }
  return (
    <section class="card">
      <h2>Organisation</h2>
      <Form submit="Save" done="Saved" onSubmit={save}>
        {(problem) => (
          <TextField
            label="Name of the organisation"
            required
            value={name()}
            problem={problem('displayName')}
            onInput={setName}
          />
        )}
      </Form>
    </section>
  )
}

function ProjectList(): JSX.Element {
  const workspace = useWorkspace()
  const projects = () =>
    workspace().account.organisations.find(({ org }) => org.id === workspace().org.id)?.projects ?? []
  return (
    <section class="table-scroll" tabindex="0" aria-label="Projects">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Number</th>
            <th scope="col">Time zone</th>
          </tr>
        </thead>
        <tbody>
          <For each={projects()}>
            {(project) => (
              <tr>
                <td>
                  <a
                    href={`/p/${project.id}/overview`}
                    aria-current={project.id === workspace().project.id ? 'true' : undefined}
                  >
                    {project.displayName}
                  </a>
                </td>
                <td>
                  <code>{project.id}</code>
                </td>
                <td>{project.reportingTimezone === '' ? 'UTC' : project.reportingTimezone}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}
