import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import Circle from 'lucide-solid/icons/circle'
import CircleCheck from 'lucide-solid/icons/circle-check'
import X from 'lucide-solid/icons/x'
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { queryClient } from '../../rpc/query-client.ts'
import { IconButton } from '../../ui/button.tsx'
import { hasEventsQuery } from './has-events.ts'
import './setup-card.css'
import { endSetup } from './setup-state.ts'

const orgsClient = clientOf(OrgsService)
const dashboardsClient = clientOf(DashboardsService)

/** A fact that a step waits for; none of them becomes untrue for the reader. */
type Fact = 'event' | 'team' | 'dashboard'

/** A step of the set-up, and whether it is done. */
interface SetupStep {
  readonly label: string
  readonly isDone: boolean
  /** The address of the page for this step. */
  readonly href: string
}

/** The project of the set-up. */
interface SetupContext {
  readonly projectId: string
  readonly orgId: string
}

/** The finished steps by project: only the others are checked again. */
const known = new Map<string, ReadonlySet<Fact>>()

const CHECKS: Readonly<Record<Fact, (context: SetupContext) => Promise<boolean>>> = {
  event: async ({ projectId }) => await queryClient.fetchQuery(hasEventsQuery(projectId)),
  team: async ({ orgId }) => (await orgsClient.listMembers({ orgId, pageSize: 2 })).members.length > 1,
  dashboard: async () => (await dashboardsClient.list({})).dashboards.length > 0,
}

const FACTS = Object.keys(CHECKS) as Fact[]

/** The facts of a project. Without an answer, a step counts as open. */
async function readFacts(context: SetupContext): Promise<ReadonlySet<Fact>> {
  const before = known.get(context.projectId) ?? new Set<Fact>()
  const answers = await Promise.all(
    FACTS.map(async (fact) => before.has(fact) || (await CHECKS[fact](context).catch(() => false))),
  )
  const facts = new Set(FACTS.filter((_, at) => answers[at]))
  known.set(context.projectId, facts)
  if (facts.size === FACTS.length) endSetup(context.projectId)
  return facts
}

function stepsOf(projectId: string, facts: ReadonlySet<Fact>): readonly SetupStep[] {
  const base = `/p/${projectId}`
  return [
    { label: t('shell.setupProject'), isDone: true, href: `${base}/settings` },
    { label: t('shell.setupEvent'), isDone: facts.has('event'), href: `${base}/overview` },
    { label: t('shell.setupTeam'), isDone: facts.has('team'), href: `${base}/settings/members` },
    { label: t('shell.setupDashboard'), isDone: facts.has('dashboard'), href: `${base}/dashboards` },
  ]
}

/** The first steps of a project in the side bar, until all are done or the reader dismisses them. */
export function SetupCard(props: {
  readonly projectId: string
  readonly orgId: string
  /** Changes with each navigation, after which the open steps are read again. */
  readonly visit: number
}): JSX.Element {
  const [facts] = createResource(
    () => ({ projectId: props.projectId, orgId: props.orgId, visit: props.visit }),
    readFacts,
  )
  const [dismissed, setDismissed] = createSignal('')
  const open = (): readonly SetupStep[] | undefined => {
    const done = dismissed() === props.projectId ? undefined : facts.latest
    return done && done.size < FACTS.length ? stepsOf(props.projectId, done) : undefined
  }
  const dismiss = (): void => {
    endSetup(props.projectId)
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
    <section class="setup-card" aria-label={t('shell.setup')}>
      <header>
        <strong>{t('shell.setup')}</strong>
        <span>{t('shell.setupProgress', { done: done(), all: props.steps.length })}</span>
        <IconButton
          tone="ghost"
          size="small"
          name={t('shell.setupDismiss')}
          onClick={() => props.onDismiss()}
        >
          <X />
        </IconButton>
      </header>
      <progress
        class="setup-progress"
        max={props.steps.length}
        value={done()}
        aria-label={t('shell.setup')}
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
