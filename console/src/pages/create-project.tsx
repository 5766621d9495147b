import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, type JSX } from 'solid-js'
import { navigate } from '../app/router.ts'
import { clientOf } from '../rpc/client.ts'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { ZoneField } from './zone-field.tsx'

/** What the browser is set to: a guess that can be changed. */
function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Makes a project in an organisation and goes there. */
export function CreateProject(props: {
  readonly orgId: string
  readonly reload: () => Promise<void>
}): JSX.Element {
  const [name, setName] = createSignal('')
  const [timeZone, setTimeZone] = createSignal(browserZone())
  const create = async (): Promise<void> => {
    const { reload } = props
    const request = { orgId: props.orgId, displayName: name(), reportingTimezone: timeZone() }
    const { project } = await clientOf(ProjectsService).create(request)
    await reload()
    navigate(`/p/${project?.id ?? ''}/live`)
  }
  return (
    <Form submit="Create the project" look="row" tone="plain" onSubmit={create}>
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

/** Makes an organisation with its first project and goes there. */
export function CreateOrganisation(props: { readonly reload: () => Promise<void> }): JSX.Element {
  const [name, setName] = createSignal('')
  const [projectName, setProjectName] = createSignal('')
  const create = async (): Promise<void> => {
    const { reload } = props
    const { org } = await clientOf(OrgsService).create({ displayName: name() })
    try {
      const request = { orgId: org?.id ?? '', displayName: projectName(), reportingTimezone: browserZone() }
      const { project } = await clientOf(ProjectsService).create(request)
      await reload()
      navigate(`/p/${project?.id ?? ''}/live`)
    } catch (thrown) {
      // The organisation is there: it is listed, and its project can be made again.
      await reload()
      throw thrown
    }
  }
  return (
    <Form submit="Create the organisation" look="row" tone="plain" onSubmit={create}>
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
