import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, type JSX } from 'solid-js'
import { navigate } from '../context/router.ts'
import { clientOf } from '../rpc/client.ts'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { ZoneField } from './zone-field.tsx'

const orgsClient = clientOf(OrgsService)
const projectsClient = clientOf(ProjectsService)

/** The time zone of the browser, as a default. */
function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Creates a project in an organisation and opens it. */
export function CreateProject(props: {
  readonly orgId: string
  readonly reload: () => Promise<void>
}): JSX.Element {
  const [name, setName] = createSignal('')
  const [timeZone, setTimeZone] = createSignal(browserZone())
  const create = async (): Promise<void> => {
    const { reload } = props
    const request = { orgId: props.orgId, displayName: name(), reportingTimezone: timeZone() }
    const { project } = await projectsClient.create(request)
    await reload()
    navigate(`/p/${project?.id ?? ''}/overview`)
  }
  return (
    <Form submit="Create project" look="row" tone="plain" onSubmit={create}>
      {(problem) => (
        <>
          <TextField
            label="Name of a new project"
            required
            value={name()}
            problem={problem('displayName')}
            onInput={setName}
          />
          <ZoneField value={timeZone()} problem={problem('reportingTimezone')} onInput={setTimeZone} />
        </>
      )}
    </Form>
  )
}

/** Creates an organisation with its first project and opens it. */
export function CreateOrganisation(props: { readonly reload: () => Promise<void> }): JSX.Element {
  const [name, setName] = createSignal('')
  const [projectName, setProjectName] = createSignal('')
  const create = async (): Promise<void> => {
    const { reload } = props
    const { org } = await orgsClient.create({ displayName: name() })
    try {
      const request = { orgId: org?.id ?? '', displayName: projectName(), reportingTimezone: browserZone() }
      const { project } = await projectsClient.create(request)
      await reload()
      navigate(`/p/${project?.id ?? ''}/overview`)
    } catch (thrown) {
      // The organisation exists: it is listed, and its project can be created there.
      await reload()
      throw thrown
    }
  }
  return (
    <Form submit="Create organisation" look="row" tone="plain" onSubmit={create}>
      {(problem) => (
        <>
          <TextField
            label="Name of a new organisation"
            required
            value={name()}
            problem={problem('displayName')}
            onInput={setName}
          />
          <TextField label="Its first project" required value={projectName()} onInput={setProjectName} />
        </>
      )}
    </Form>
  )
}
