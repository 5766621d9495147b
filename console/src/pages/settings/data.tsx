import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import BookOpen from 'lucide-solid/icons/book-open'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox, TextArea } from '../../ui/input.tsx'
import { FormCard } from './form-card.tsx'
import { RetentionSettings } from './retention.tsx'
import { RoleNote } from './role-note.tsx'

const projectsClient = clientOf(ProjectsService)

/** Settings of event data: bots, domains, retention, the snippet, imports and exports. */
export function DataSettings(): JSX.Element {
  const may = useMay()
  return (
    <>
      <Show
        when={may(ProjectsService.method.updateMeta)}
        fallback={
          <Card title={t('settings.bots')}>
            <p class="settings-text">{t('settings.botsText')}</p>
            <RoleNote />
          </Card>
        }
      >
        <Bots />
        <Domains />
      </Show>
      <RetentionSettings />
      <Guide
        title={t('settings.install')}
        text={t('settings.installText')}
        link={t('settings.installLink')}
        href="/docs/browser"
      />
      <Guide
        title={t('settings.export')}
        text={t('settings.exportText')}
        link={t('settings.exportLink')}
        href="/docs/export"
      />
    </>
  )
}

function Bots(): JSX.Element {
  const workspace = useWorkspace()
  const [excludeBots, setExcludeBots] = createSignal(workspace().project.excludeBots)
  const save = async (): Promise<void> => {
    const { reload } = workspace()
    await projectsClient.updateMeta({ excludeBots: excludeBots() })
    await reload()
  }
  return (
    <FormCard
      title={t('settings.bots')}
      text={t('settings.botsText')}
      submit={t('common.save')}
      tone="plain"
      onSubmit={save}
    >
      {() => (
        <Checkbox label={t('settings.excludeBots')} isChecked={excludeBots()} onChange={setExcludeBots} />
      )}
    </FormCard>
  )
}

function Domains(): JSX.Element {
  const workspace = useWorkspace()
  const [text, setText] = createSignal(workspace().project.domains.join('\n'))
  const save = async (): Promise<void> => {
    const { reload } = workspace()
    const names = text()
      .split(/[\s,]+/)
      .filter((name) => name !== '')
    const { project } = await projectsClient.updateMeta({ domains: { names } })
    setText(project?.domains.join('\n') ?? '')
    await reload()
  }
  return (
    <FormCard
      title={t('settings.domains')}
      text={t('settings.domainsText')}
      submit={t('common.save')}
      tone="plain"
      onSubmit={save}
    >
      {(problem) => (
        <TextArea
          label={t('settings.domainsField')}
          placeholder={'example.com\nshop.example.org'}
          value={text()}
          problem={problem('domains.names')}
          onInput={setText}
        />
      )}
    </FormCard>
  )
}

function Guide(props: {
  readonly title: string
  readonly text: string
  readonly link: string
  readonly href: string
}): JSX.Element {
  return (
    <Card title={props.title}>
      <div class="settings-fields">
        <p class="settings-text">{props.text}</p>
        <ButtonLink
          class="settings-start"
          icon={<BookOpen />}
          href={props.href}
          target="_blank"
          rel="noreferrer"
        >
          {props.link}
        </ButtonLink>
      </div>
    </Card>
  )
}
