import BookOpen from 'lucide-solid/icons/book-open'
import Check from 'lucide-solid/icons/check'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import CircleCheck from 'lucide-solid/icons/circle-check'
import CircleQuestionMark from 'lucide-solid/icons/circle-question-mark'
import CircleX from 'lucide-solid/icons/circle-x'
import Send from 'lucide-solid/icons/send'
import Users from 'lucide-solid/icons/users'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { Arrival, Check as CheckState } from './arrival.ts'
import { DemoCard } from './demo-data.tsx'
import { nameLibrary } from './name-library.ts'

/** The column at the right: the pulse and its checks until the first event, which it then shows; and ways to get help. */
export function WaitingCard(props: {
  readonly arrival: Arrival
  readonly hasKey: boolean
  readonly onDone: () => void
}): JSX.Element {
  return (
    <aside class="first-run-side">
      <section class="ui-card first-run-waiting" aria-label={t('firstRun.status')}>
        <Show
          when={props.arrival.event()}
          fallback={<Waiting arrival={props.arrival} hasKey={props.hasKey} />}
        >
          {(event) => (
            <>
              <span class="first-run-arrived" aria-hidden="true">
                <Check size={28} />
              </span>
              <h2 role="status">{t('firstRun.arrived')}</h2>
              <p class="first-run-event">
                <code>{event().kind}</code>
                <span>{event().distinctId}</span>
              </p>
              <Show when={nameLibrary(event())}>
                {(library) => <p class="first-run-hint">{t('firstRun.sending', { library: library() })}</p>}
              </Show>
              <Button tone="primary" class="first-run-wide" onClick={() => props.onDone()}>
                {t('firstRun.open')}
              </Button>
            </>
          )}
        </Show>
      </section>
      <DemoCard />
      <HelpLinks />
    </aside>
  )
}

function Waiting(props: { readonly arrival: Arrival; readonly hasKey: boolean }): JSX.Element {
  const [isSending, setSending] = createSignal(false)
  const send = async (): Promise<void> => {
    const { sendTest } = props.arrival
    setSending(true)
    await sendTest()
    setSending(false)
  }
  return (
    <>
      <span class="first-run-pulse" aria-hidden="true" />
      <h2 role="status">{t('firstRun.waiting')}</h2>
      <p class="first-run-hint">{t('firstRun.listening', { seconds: props.arrival.seconds() })}</p>
      <ul class="first-run-checks">
        <CheckLine
          check={props.arrival.service()}
          texts={{
            waiting: t('firstRun.serviceWaiting'),
            ok: t('firstRun.serviceOk'),
            failed: t('firstRun.serviceFailed'),
          }}
        />
        <CheckLine
          check={props.hasKey ? props.arrival.key() : { state: 'waiting' }}
          texts={{
            waiting: props.hasKey ? t('firstRun.keyWaiting') : t('firstRun.keyMissing'),
            ok: t('firstRun.keyOk'),
            failed: t('firstRun.keyRejected'),
          }}
        />
        <CheckLine
          check={rejectionOf(props.arrival.rejection())}
          texts={{
            waiting: t('firstRun.eventWaiting'),
            ok: t('firstRun.arrived'),
            failed: t('firstRun.eventRejected'),
          }}
        />
      </ul>
      <Button
        class="first-run-wide"
        icon={<Send />}
        isLoading={isSending()}
        isDisabled={!props.hasKey}
        onClick={() => void send()}
      >
        {t('firstRun.sendTest')}
      </Button>
    </>
  )
}

function rejectionOf(problem: string | undefined): CheckState {
  return problem === undefined ? { state: 'waiting' } : { state: 'failed', problem }
}

function CheckLine(props: {
  readonly check: CheckState
  readonly texts: Readonly<Record<CheckState['state'], string>>
}): JSX.Element {
  return (
    <li data-state={props.check.state}>
      <Switch fallback={<Spinner class="first-run-check-icon" />}>
        <Match when={props.check.state === 'ok'}>
          <CircleCheck class="first-run-check-icon first-run-ok" />
        </Match>
        <Match when={props.check.state === 'failed'}>
          <CircleX class="first-run-check-icon" />
        </Match>
      </Switch>
      <span>
        {props.texts[props.check.state]}
        <Show when={props.check.problem}>
          {(problem) => <span class="first-run-problem">{problem()}</span>}
        </Show>
      </span>
    </li>
  )
}

function HelpLinks(): JSX.Element {
  const workspace = useWorkspace()
  return (
    <nav class="first-run-help" aria-label={t('firstRun.help')}>
      <a href="/docs/browser#nothing-arrives" target="_blank" rel="noreferrer">
        <CircleQuestionMark size={15} />
        {t('firstRun.nothingArrives')}
        <ChevronRight size={15} class="first-run-help-arrow" />
      </a>
      <a href={`/p/${workspace().project.id}/settings/members`}>
        <Users size={15} />
        {t('firstRun.invite')}
        <ChevronRight size={15} class="first-run-help-arrow" />
      </a>
      <a href="/docs/quick-start" target="_blank" rel="noreferrer">
        <BookOpen size={15} />
        {t('firstRun.quickStart')}
        <ChevronRight size={15} class="first-run-help-arrow" />
      </a>
    </nav>
  )
}
