import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import KeyRound from 'lucide-solid/icons/key-round'
import MousePointerClick from 'lucide-solid/icons/mouse-pointer-click'
import UserRoundCheck from 'lucide-solid/icons/user-round-check'
import { Switch as Choose, createSignal, type JSX, Match, Show } from 'solid-js'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/input.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { watchArrival } from './arrival.ts'
import '../../ui/card.css'
import './first-run.css'
import './messages.ts'
import { createProjectKey, type ProjectKey } from './project-key.ts'
import { SampleCard } from './sample-card.tsx'
import { createUuid } from './uuid.ts'
import { WaitingCard } from './waiting-card.tsx'
import { WayPicker } from './way-picker.tsx'
import { recordingOf, type SnippetOptions, samplesOf, type Way } from './ways.ts'

const PLACEHOLDER = 'pub_YOUR_PUBLIC_KEY'

/**
 * The page of a project without events: choose a way to send, copy a sample with the key and the address of this service, and
 * see the first event arrive. It stays until the reader leaves it by `onDone`.
 */
export function FirstRun(props: { readonly onDone: () => void }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [way, setWay] = createSignal<Way>('snippet')
  const [options, setOptions] = createSignal<SnippetOptions>({ pageViews: 'automatic', identity: 'stored' })
  const key = createProjectKey(workspace().project.id, may(ProjectsService.method.createApiKey))
  const arrival = watchArrival(key.text)
  const ids = { eventId: createUuid(), sessionId: createUuid() }
  const facts = () => ({
    ...ids,
    origin: location.origin,
    key: key.text() === '' ? PLACEHOLDER : key.text(),
  })
  const recording = () => recordingOf(way(), facts())
  return (
    <div class="first-run">
      <header class="first-run-head">
        <h1>{t('firstRun.title')}</h1>
        <p>{t('firstRun.subtitle')}</p>
      </header>
      <div class="first-run-steps">
        <Step number={1} title={t('firstRun.choose')}>
          <WayPicker value={way()} onChange={setWay} />
        </Step>
        <Step number={2} title={pasteTitleOf(way())} note={<KeyNote of={key} />}>
          <SampleCard
            samples={samplesOf(way(), facts(), options())}
            mark={key.text()}
            foot={
              <Show when={way() === 'snippet' || way() === 'npm'}>
                <RecordingSwitches value={options()} onChange={setOptions} />
              </Show>
            }
          />
        </Step>
        <Show when={way() !== 'sdk'}>
          <Step number={3} title={t('firstRun.record')} hint={t('firstRun.recordHint')} tone="optional">
            <div class="first-run-pair">
              <SampleCard
                samples={[{ label: t('firstRun.action'), text: recording().action }]}
                icon={<MousePointerClick size={15} />}
                mark={key.text()}
              />
              <SampleCard
                samples={[{ label: t('firstRun.identity'), text: recording().identity }]}
                icon={<UserRoundCheck size={15} />}
                mark={key.text()}
              />
            </div>
          </Step>
        </Show>
      </div>
      <WaitingCard arrival={arrival} hasKey={key.text() !== ''} onDone={props.onDone} />
    </div>
  )
}

function pasteTitleOf(way: Way): string {
  return {
    snippet: () => t('firstRun.pasteSnippet'),
    npm: () => t('firstRun.pasteNpm'),
    sdk: () => t('firstRun.pasteSdk'),
    server: () => t('firstRun.pasteServer'),
    curl: () => t('firstRun.pasteCurl'),
  }[way]()
}

function Step(props: {
  readonly number: number
  readonly title: string
  readonly hint?: string
  readonly note?: JSX.Element
  readonly tone?: 'normal' | 'optional'
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <section class="first-run-step" data-tone={props.tone}>
      <header>
        <span class="first-run-number" aria-hidden="true">
          {props.number}
        </span>
        <h2>{props.title}</h2>
        <Show when={props.hint}>{(hint) => <span class="first-run-hint">{hint()}</span>}</Show>
        <div class="first-run-note">{props.note}</div>
      </header>
      {props.children}
    </section>
  )
}

/** Where the key of the samples comes from, or what the reader can do without one. */
function KeyNote(props: { readonly of: ProjectKey }): JSX.Element {
  const workspace = useWorkspace()
  const [isCreating, setCreating] = createSignal(false)
  const create = async (): Promise<void> => {
    const { create: createKey } = props.of
    setCreating(true)
    await createKey()
    setCreating(false)
  }
  return (
    <Choose>
      <Match when={props.of.failure()}>
        {(failure) => (
          <ErrorState error={failure()} title={t('firstRun.keyFailed')} onRetry={() => void create()} />
        )}
      </Match>
      <Match when={props.of.state() === 'ready'}>
        <span class="first-run-key">
          <KeyRound size={14} />
          {t('firstRun.keyFilledIn', { project: workspace().project.displayName })}
        </span>
      </Match>
      <Match when={props.of.state() === 'lost'}>
        <span class="first-run-hint">{t('firstRun.keyLost')}</span>
        <Button size="small" icon={<KeyRound />} isLoading={isCreating()} onClick={() => void create()}>
          {t('firstRun.createKey')}
        </Button>
      </Match>
      <Match when={props.of.state() === 'forbidden'}>
        <span class="first-run-hint">
          {t('firstRun.keyForbidden', { organisation: workspace().org.displayName })}
        </span>
      </Match>
    </Choose>
  )
}

function RecordingSwitches(props: {
  readonly value: SnippetOptions
  readonly onChange: (options: SnippetOptions) => void
}): JSX.Element {
  return (
    <>
      <Switch
        label={t('firstRun.pageViews')}
        isChecked={props.value.pageViews === 'automatic'}
        onChange={(isOn) => props.onChange({ ...props.value, pageViews: isOn ? 'automatic' : 'manual' })}
      />
      <Switch
        label={t('firstRun.cookieless')}
        isChecked={props.value.identity === 'cookieless'}
        onChange={(isOn) => props.onChange({ ...props.value, identity: isOn ? 'cookieless' : 'stored' })}
      />
      <span class="first-run-note">{t('firstRun.noBlocking')}</span>
    </>
  )
}
