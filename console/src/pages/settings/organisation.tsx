import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import type { Project } from '@contract/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { UsageService } from '@contract/dashboard/usage/v1/usage_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Card } from '../../ui/card.tsx'
import { Input } from '../../ui/input.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { CreateProject } from '../create-project.tsx'
import { SecondFactorRule } from '../second-factor/rule-card.tsx'
import { FormCard } from './form-card.tsx'
import { RoleNote } from './role-note.tsx'
import { UsageCard } from './usage.tsx'

const orgsClient = clientOf(OrgsService)

/** The name of the organisation, its projects and their usage. */
export function OrganisationSettings(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const projects = (): readonly Project[] =>
    workspace().account.organisations.find(({ org }) => org.id === workspace().org.id)?.projects ?? []
  return (
    <>
      <Show when={may(OrgsService.method.updateDisplayName)}>
        <RenameOrganisation />
        <SecondFactorRule />
      </Show>
      <Card title={t('settings.projectsOf', { organisation: workspace().org.displayName })} padding="none">
        <Table
          label={t('settings.projectsOf', { organisation: workspace().org.displayName })}
          rows={projects()}
          columns={projectColumns(workspace().project.id)}
          isSelected={({ id }) => id === workspace().project.id}
        />
      </Card>
      <Show when={may(UsageService.method.getUsage)}>
        <UsageCard projects={projects()} />
      </Show>
      <Show when={may(ProjectsService.method.create)} fallback={<RoleNote />}>
        <Card title={t('settings.newProject')}>
          <CreateProject orgId={workspace().org.id} reload={workspace().reload} />
        </Card>
      </Show>
    </>
  )
}

function projectColumns(currentId: string): readonly Column<Project, string>[] {
  return [
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: ({ id, displayName }) => (
        <a href={`/p/${id}/overview`} aria-current={id === currentId ? 'true' : undefined}>
          {displayName}
        </a>
      ),
    },
    { key: 'number', title: t('settings.projectNumber'), cell: ({ id }) => <code>{id}</code> },
    {
      key: 'zone',
      title: t('settings.timeZone'),
      cell: ({ reportingTimezone }) => (reportingTimezone === '' ? 'UTC' : reportingTimezone),
    },
  ]
}

function RenameOrganisation(): JSX.Element {
  const workspace = useWorkspace()
  const [name, setName] = createSignal(workspace().org.displayName)
  const save = async (): Promise<void> => {
    const { reload } = workspace()
    await orgsClient.updateDisplayName({ orgId: workspace().org.id, displayName: name() })
    await reload()
  }
  return (
    <FormCard title={t('settings.organisation')} submit={t('common.save')} onSubmit={save}>
      {(problem) => (
        <Input
          label={t('settings.organisationName')}
          required
          maxLength={255}
          value={name()}
          problem={problem('displayName')}
          onInput={setName}
        />
      )}
    </FormCard>
  )
}
