import type { Visit } from '@contract/millrace/web/v1/visits_service_pb.js'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronUp from 'lucide-solid/icons/chevron-up'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatMoment, formatNumber } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { PersonAvatar } from '../../people/person-avatar.tsx'
import { TimelineRow } from '../../people/timeline-row.tsx'
import '../../people/timeline.css'
import { foldEvents } from '../../people/visits.ts'
import { Failure } from '../../rpc/failure.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer-panel.tsx'
import { Flag } from '../../ui/flag.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { labelOfValue } from '../overview/dimensions.ts'
import { lengthOf, personOf, placeOf, startOf } from './describe-session.ts'
import { type OpenSession, useSession } from './session-queries.ts'

/** One session: its visitor, its measures and its events in order. */
export function SessionDrawer(props: {
  readonly sessionId: string
  /** `undefined` at the end of the list. */
  readonly onNext: (() => void) | undefined
  readonly onPrevious: (() => void) | undefined
  readonly onClose: () => void
}): JSX.Element {
  return (
    <Drawer
      title={t('sessions.session')}
      isOpen={true}
      onClose={props.onClose}
      actions={
        <>
          <IconButton
            tone="ghost"
            size="small"
            name={t('sessions.previous')}
            keys="k"
            isDisabled={!props.onPrevious}
            onClick={() => props.onPrevious?.()}
          >
            <ChevronUp />
          </IconButton>
          <IconButton
            tone="ghost"
            size="small"
            name={t('sessions.next')}
            keys="j"
            isDisabled={!props.onNext}
            onClick={() => props.onNext?.()}
          >
            <ChevronDown />
          </IconButton>
        </>
      }
    >
      <Show when={props.sessionId} keyed>
        {(sessionId) => <SessionPanel sessionId={sessionId} />}
      </Show>
    </Drawer>
  )
}

function SessionPanel(props: { readonly sessionId: string }): JSX.Element {
  const session = useSession(() => props.sessionId)
  return (
    <Switch fallback={<SkeletonLines count={10} heightPx={28} />}>
      <Match when={session.failure() !== undefined && isMissing(session.failure())}>
        <EmptyState title={t('sessions.notFound')} text={t('sessions.notFoundText')} />
      </Match>
      <Match when={session.failure()}>
        {(error) => <ErrorState title={t('sessions.oneFailed')} error={error()} onRetry={session.retry} />}
      </Match>
      <Match when={session.visit()}>{(visit) => <SessionBody visit={visit()} session={session} />}</Match>
    </Switch>
  )
}

/** A link may also hold a text that is no id. */
function isMissing(error: unknown): boolean {
  const { code } = Failure.from(error)
  return code === 'not_found' || code === 'invalid_argument'
}

function SessionBody(props: { readonly visit: Visit; readonly session: OpenSession }): JSX.Element {
  const items = createMemo(() => foldEvents(props.session.events()))
  return (
    <div class="session-panel">
      <SessionHead visit={props.visit} />
      <section>
        <h3>{t('sessions.facts')}</h3>
        <SessionFacts visit={props.visit} />
      </section>
      <section>
        <h3>{t('people.timeline')}</h3>
        <ol class="timeline-events">
          <For each={items()}>{(item) => <TimelineRow item={item} />}</For>
        </ol>
        <Show when={props.session.hasMore()}>
          <Button
            class="timeline-more"
            isLoading={props.session.isLoading()}
            onClick={props.session.loadMore}
          >
            {t('sessions.showLater')}
          </Button>
        </Show>
      </section>
    </div>
  )
}

function SessionHead(props: { readonly visit: Visit }): JSX.Element {
  const workspace = useWorkspace()
  const person = () => personOf(props.visit.visitor, workspace().project.id)
  return (
    <>
      <header class="session-head">
        <PersonAvatar id={person().id} person={person().name} size="large" />
        <div>
          <strong>{person().name.name}</strong>
          <Show when={person().name.detail !== ''}>
            <p>{person().name.detail}</p>
          </Show>
          <p>{formatMoment(startOf(props.visit), workspace().timeZone)}</p>
        </div>
      </header>
      <Show when={person().href}>
        {(href) => <ButtonLink href={href()}>{t('people.openPerson')}</ButtonLink>}
      </Show>
    </>
  )
}

type Fact = readonly [name: string, value: JSX.Element]

function Place(props: { readonly visit: Visit }): JSX.Element {
  return (
    <>
      <Flag country={props.visit.country} /> {placeOf(props.visit)}
    </>
  )
}

/** The measures and properties of a session; those that it does not have are left out. */
function SessionFacts(props: { readonly visit: Visit }): JSX.Element {
  const facts = (): readonly Fact[] => {
    const { visit } = props
    const known: readonly Fact[] = [
      [t('sessions.duration'), visit.bounced ? <Badge>{t('sessions.bounced')}</Badge> : lengthOf(visit)],
      [t('people.events'), formatNumber(visit.events)],
      [t('people.pageViews'), formatNumber(visit.pageViews)],
      [t('overview.dimensionEntry'), visit.entryPage],
      [t('overview.dimensionExit'), visit.exitPage],
      [t('overview.dimensionChannel'), visit.channel],
      [t('overview.dimensionReferrer'), visit.referrer],
      [t('overview.dimensionSource'), visit.utmSource],
      [t('overview.dimensionMedium'), visit.utmMedium],
      [t('overview.dimensionCampaign'), visit.utmCampaign],
      [t('people.location'), placeOf(visit) === '' ? '' : <Place visit={visit} />],
      [t('people.device'), visit.deviceType === '' ? '' : labelOfValue('device', visit.deviceType)],
      [t('people.browser'), visit.browser],
      [t('people.system'), visit.os],
      [
        t('overview.dimensionLanguage'),
        visit.language === '' ? '' : labelOfValue('language', visit.language),
      ],
    ]
    return known.filter(([, value]) => value !== '')
  }
  return (
    <dl class="people-facts" aria-label={t('sessions.facts')}>
      <For each={facts()}>
        {([name, value]) => (
          <div>
            <dt title={name}>{name}</dt>
            <dd>
              <span>{value}</span>
            </dd>
          </div>
        )}
      </For>
    </dl>
  )
}
