import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import Circle from 'lucide-solid/icons/circle'
import CircleCheck from 'lucide-solid/icons/circle-check'
import X from 'lucide-solid/icons/x'
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { readPreference, writePreference } from '../../context/preference.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { IconButton } from '../../ui/button.tsx'
import './setup-card.css'

const activityClient = clientOf(ActivityService)
const orgsClient = clientOf(OrgsService)
const dashboardsClient = clientOf(DashboardsService)

/** A step of the set-up, and whether it is done. */
interface SetupStep {
  readonly label: string
  readonly isDone: boolean
  /** Where it is done. */
  readonly href: string
}

/** The preference that keeps a dismissed card away. */
function preferenceOf(projectId: string): string {
  return `setup_${projectId}`
}

async function loadSteps(projectId: string, orgId: string): Promise<readonly SetupStep[]> {
  const [{ events }, { members }, { dashboards }] = await Promise.all([
    activityClient.getEventExplorer({ pageSize: 1 }),
    orgsClient.listMembers({ orgId }),
    dashboardsClient.list({}),
  ])
  const base = `/p/${projectId}`
  return [
    { label: t('firstRun.setupProject'), isDone: true, href: `${base}/settings` },
    { label: t('firstRun.setupEvent'), isDone: events.length > 0, href: `${base}/live` },
    { label: t('firstRun.setupTeam'), isDone: members.length > 1, href: `${base}/settings/members` },
    { label: t('firstRun.setupDashboard'), isDone: dashboards.length > 0, href: `${base}/dashboards` },
  ]
}

/** The first steps of a project in the side bar, until all are done or the reader dismisses them. */
export function SetupCard(props: {
  readonly projectId: string
  readonly orgId: string
  /** Changes with each navigation, after which the steps are read again. */
  readonly visit: number
}): JSX.Element {
  const [dismissed, setDismissed] = createSignal('')
  const isHidden = (): boolean =>
    dismissed() === props.projectId || readPreference(preferenceOf(props.projectId)) !== ''
  const key = () =>
    isHidden() ? undefined : { projectId: props.projectId, orgId: props.orgId, visit: props.visit }
  const [steps] = createResource(key, async ({ projectId, orgId }) =>
    // The card is no reason for an error: without an answer it is left out.
    loadSteps(projectId, orgId).catch(() => undefined),
  )
  const open = (): readonly SetupStep[] | undefined => {
    const list = isHidden() ? undefined : steps.latest
    return list?.some(({ isDone }) => !isDone) ? list : undefined
  }
  const dismiss = (): void => {
    writePreference(preferenceOf(props.projectId), 'dismissed')
    setDismissed(props.projectId)
  }
  return <Show when={open()}>{(list) => <StepList steps={list()} onDismiss={dismiss} />}</Show>
}

function StepList(props: {
  readonly steps: readonly SetupStep[]
  readonly onDismiss: () => void
}): JSX.Element {
  const done = (): number => props.steps.filter(({ isDone }) => isDone).length
  return (
    <section class="setup-card" aria-label={t('firstRun.setup')}>
      <header>
        <strong>{t('firstRun.setup')}</strong>
        <span>{t('firstRun.setupProgress', { done: done(), all: props.steps.length })}</span>
        <IconButton
          tone="ghost"
          size="small"
          name={t('firstRun.setupDismiss')}
          onClick={() => props.onDismiss()}
        >
          <X />
        </IconButton>
      </header>
      <progress
        class="setup-progress"
        max={props.steps.length}
        value={done()}
        aria-label={t('firstRun.setup')}
      />
      <ul>
        <For each={props.steps}>
          {(step) => (
            <li data-state={step.isDone ? 'done' : 'open'}>
              <Show
                when={step.isDone}
                fallback={
                  <a href={step.href}>
                    <Circle size={14} />
                    {step.label}
                  </a>
                }
              >
                <CircleCheck size={14} />
                <s>{step.label}</s>
              </Show>
            </li>
          )}
        </For>
      </ul>
    </section>
  )
}
