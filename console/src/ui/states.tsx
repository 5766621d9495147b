import RefreshCw from 'lucide-solid/icons/refresh-cw'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import { children, createSignal, For, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Failure } from '../rpc/failure.ts'
import { textOfFailure } from '../rpc/failure-text.ts'
import { Button } from './button.tsx'
import './states.css'

/** A grey block in the place of something that loads. */
export function SkeletonBlock(props: {
  /** Any CSS width; all of it when absent. */
  readonly width?: string
  readonly heightPx: number
}): JSX.Element {
  return <span class="ui-skeleton" style={{ width: props.width ?? '100%', height: `${props.heightPx}px` }} />
}

/** Blocks in the shape of what loads; they appear after 150 ms, so that quick answers do not flash. */
export function SkeletonGroup(props: {
  readonly label?: string
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <div class="ui-skeleton-group" aria-busy="true">
      <span class="ui-hidden" role="status">
        {props.label ?? t('common.loading')}
      </span>
      {props.children}
    </div>
  )
}

/** Lines of text that load. */
export function SkeletonLines(props: { readonly count: number; readonly heightPx?: number }): JSX.Element {
  const widths = ['100%', '86%', '94%', '72%']
  return (
    <SkeletonGroup>
      <For each={Array.from({ length: props.count })}>
        {(_, at) => (
          <SkeletonBlock width={widths[at() % widths.length] ?? '100%'} heightPx={props.heightPx ?? 16} />
        )}
      </For>
    </SkeletonGroup>
  )
}

const BAR_HEIGHTS_PX = [30, 42, 36, 50, 54, 40, 30, 44, 52, 56, 48, 53]

/** A chart that loads. */
export function SkeletonChart(): JSX.Element {
  return (
    <SkeletonGroup>
      <SkeletonBlock width="36%" heightPx={20} />
      <div class="ui-skeleton-bars">
        <For each={BAR_HEIGHTS_PX}>{(heightPx) => <SkeletonBlock heightPx={heightPx * 1.6} />}</For>
      </div>
    </SkeletonGroup>
  )
}

/** The reason why there is nothing, and the nearest way out. */
export function EmptyState(props: {
  readonly icon?: JSX.Element
  readonly title: string
  readonly text?: JSX.Element
  readonly actions?: JSX.Element
}): JSX.Element {
  const icon = children(() => props.icon)
  const text = children(() => props.text)
  const actions = children(() => props.actions)
  return (
    <div class="ui-empty">
      <Show when={icon() !== undefined}>
        <span class="ui-empty-icon">{icon()}</span>
      </Show>
      <p class="ui-empty-title">{props.title}</p>
      <Show when={text() !== undefined}>
        <p class="ui-empty-text">{text()}</p>
      </Show>
      <Show when={actions() !== undefined}>
        <div class="ui-empty-actions">{actions()}</div>
      </Show>
    </div>
  )
}

/** A failure: its description, advice, a button to try again, and details to pass on. */
export function ErrorState(props: {
  readonly error: unknown
  /** The failure in a few words, for example `This took too long`; the message of the error stands below it. */
  readonly title: string
  /** The advice after the message. */
  readonly advice?: string
  readonly onRetry?: (() => void) | undefined
  readonly isRetrying?: boolean
}): JSX.Element {
  const failure = (): Failure => Failure.from(props.error)
  const [isOpen, setOpen] = createSignal(false)
  return (
    <div class="ui-error" role="alert">
      <TriangleAlert />
      <div>
        <p class="ui-error-title">{props.title}</p>
        <p class="ui-error-text">
          {textOfFailure(failure())} {props.advice}
        </p>
        <div class="ui-error-actions">
          <Show when={!failure().isFinal && props.onRetry}>
            {(retry) => (
              <Button
                size="small"
                icon={<RefreshCw />}
                isLoading={props.isRetrying}
                onClick={() => retry()()}
              >
                {t('common.retry')}
              </Button>
            )}
          </Show>
          <Button size="small" tone="ghost" aria-expanded={isOpen()} onClick={() => setOpen(!isOpen())}>
            {isOpen() ? t('ui.hideDetails') : t('ui.showDetails')}
          </Button>
        </div>
        <Show when={isOpen()}>
          <FailureDetails failure={failure()} />
        </Show>
      </div>
    </div>
  )
}

function FailureDetails(props: { readonly failure: Failure }): JSX.Element {
  return (
    <dl class="ui-error-details">
      <dt>{t('ui.code')}</dt>
      <dd>{[props.failure.code, props.failure.reason].filter((text) => text !== '').join(' · ')}</dd>
      <Show when={props.failure.reason !== ''}>
        <dt>{t('ui.answer')}</dt>
        <dd>{props.failure.message}</dd>
      </Show>
      <Show when={props.failure.requestId !== ''}>
        <dt>{t('ui.request')}</dt>
        <dd>{props.failure.requestId}</dd>
      </Show>
    </dl>
  )
}
