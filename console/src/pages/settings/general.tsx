import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX, Show } from 'solid-js'
import { navigate } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { useProject } from '../../rpc/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { withProof } from '../second-factor/with-proof.tsx'
import { ZoneField } from '../zone-field.tsx'
import { Facts } from './facts.tsx'
import { FormCard } from './form-card.tsx'
import { RoleNote } from './role-note.tsx'

const projectsClient = clientOf(ProjectsService)

const { updateMeta, delete: deleteMethod } = ProjectsService.method

/** The name and the time zone of the project, and its deletion. */
export function GeneralSettings(): JSX.Element {
  const may = useMay()
  return (
    <>
      <Show when={may(updateMeta)} fallback={<ProjectFacts />}>
        <ProjectForm />
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
    <Card title={t('settings.project')}>
      <Facts
        facts={[
          [t('common.name'), workspace().project.displayName],
          [t('settings.timeZone'), workspace().timeZone],
          [t('settings.projectNumber'), workspace().project.id],
        ]}
      />
      <RoleNote />
    </Card>
  )
}

function ProjectForm(): JSX.Element {
  const workspace = useWorkspace()
  const [name, setName] = createSignal(workspace().project.displayName)
  const [timeZone, setTimeZone] = createSignal(workspace().timeZone)
  const save = async (): Promise<void> => {
    const { project, timeZone: storedZone, reload } = workspace()
    // A field that was not changed here may have been changed by somebody else.
    await projectsClient.updateMeta({
      ...(name() !== project.displayName && { displayName: name() }),
      ...(timeZone() !== storedZone && { reportingTimezone: timeZone() }),
    })
    await reload()
  }
  return (
    <FormCard title={t('settings.project')} submit={t('common.save')} onSubmit={save}>
      {(problem) => (
        <>
          <Input
            label={t('common.name')}
            required
            maxLength={255}
            value={name()}
            problem={problem('displayName')}
            onInput={setName}
          />
          <ZoneField
            value={timeZone()}
            hint={t('settings.timeZoneHint')}
            problem={problem('reportingTimezone')}
            onChange={setTimeZone}
          />
          <Facts facts={[[t('settings.projectNumber'), workspace().project.id]]} />
        </>
      )}
    </FormCard>
  )
}

function DeleteProject(): JSX.Element {
  const workspace = useWorkspace()
  const [isAsking, setAsking] = createSignal(false)
  const name = (): string => workspace().project.displayName
  const remove = async (): Promise<void> => {
    const { reload } = workspace()
    await withProof(async () => await projectsClient.delete({}))
    // Calls that name the project are rejected from now on.
    useProject('')
    await reload()
    navigate('/', 'replace')
  }
  return (
    <Card title={t('settings.deleteProject')}>
      <div class="settings-fields">
        <p class="settings-text">{t('settings.deleteProjectText')}</p>
        <Button tone="danger" class="settings-start" icon={<Trash />} onClick={() => setAsking(true)}>
          {t('settings.deleteProjectMenu')}
        </Button>
      </div>
      <ConfirmDialog
        title={t('settings.deleteProjectAsk', { name: name() })}
        text={t('settings.deleteProjectConsequence')}
        verb={t('settings.deleteProject')}
        confirm={{ text: name().trim(), label: t('settings.typeProjectName') }}
        isOpen={isAsking()}
        onClose={() => setAsking(false)}
        onConfirm={remove}
      />
    </Card>
  )
}
