import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, type JSX } from 'solid-js'
import { navigate } from '../context/router.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { Input } from '../ui/input.tsx'
import { FormLine } from './settings/form-card.tsx'
import { browserZone, ZoneField } from './zone-field.tsx'

const orgsClient = clientOf(OrgsService)
const projectsClient = clientOf(ProjectsService)

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
    <FormLine submit={t('settings.createProject')} done="" onSubmit={create}>
      {(problem) => (
        <>
          <Input
            label={t('settings.projectName')}
            required
            maxLength={255}
            placeholder={t('settings.projectExample')}
            value={name()}
            problem={problem('displayName')}
            onInput={setName}
          />
          <ZoneField value={timeZone()} problem={problem('reportingTimezone')} onChange={setTimeZone} />
        </>
      )}
    </FormLine>
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
    <FormLine submit={t('settings.createOrganisation')} done="" onSubmit={create}>
      {(problem) => (
        <>
          <Input
            label={t('settings.organisationName')}
            required
            maxLength={255}
            placeholder="Acme"
            value={name()}
            problem={problem('displayName')}
            onInput={setName}
          />
          <Input
            label={t('settings.firstProject')}
            required
            maxLength={255}
            placeholder={t('settings.projectExample')}
            value={projectName()}
            onInput={setProjectName}
          />
        </>
      )}
    </FormLine>
  )
}
