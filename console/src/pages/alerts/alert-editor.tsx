import { equals } from '@bufbuild/protobuf'
import type { Alert, AlertContent } from '@contract/millrace/alerts/v1/alert_pb.js'
import { AlertsService } from '@contract/millrace/alerts/v1/alerts_service_pb.js'
import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createMemo, type JSX, Match, Show, Switch } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { currentLocation, navigate } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { parseSpec } from '../../insights/spec.ts'
import { isKept } from '../../library/delete-later.ts'
import { savedInsightsClient, savedInsightsKey, useSavedInsight } from '../../library/saved-insights.ts'
import { isNotFound } from '../../rpc/failure.ts'
import { answerOf } from '../../rpc/query-client.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Select } from '../../ui/combobox.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { firstPoint } from './alert-draft.ts'
import { AlertForm } from './alert-form.tsx'
import { alertsClient, alertsHref, alertsKey, NEW_ALERT, newAlertHref } from './alert-list.ts'
import './messages.ts'

/** The editor of an alert: a stored one, or a new one on the insight of the address. */
export function AlertEditor(props: { readonly id: string }): JSX.Element {
  const may = useMay()
  const isNew = (): boolean => props.id === NEW_ALERT && may(AlertsService.method.create)
  return (
    <Show when={isNew()} fallback={<StoredAlert id={props.id} />}>
      <NewAlert />
    </Show>
  )
}

function StoredAlert(props: { readonly id: string }): JSX.Element {
  const workspace = useWorkspace()
  const stored = useQuery(() => ({
    queryKey: [...alertsKey(workspace().project.id), 'one', props.id],
    queryFn: async (): Promise<Alert | null> => (await alertsClient.get({ id: props.id })).alert ?? null,
    structuralSharing: false,
    // Read anew whenever the editor opens, which copies it into its form.
    gcTime: 0,
    staleTime: 0,
  }))
  return (
    <Switch fallback={<SkeletonLines count={8} heightPx={28} />}>
      <Match when={isNotFound(stored.error)}>
        <EmptyState
          title={t('alerts.notFound')}
          actions={<ButtonLink href={alertsHref(workspace().project.id)}>{t('alerts.allAlerts')}</ButtonLink>}
        />
      </Match>
      <Match when={unwrap(answerOf(stored))}>
        {(alert) => (
          <WithSpec question={alert().content?.question}>
            {(spec, insight) => <AlertForm alert={alert()} spec={spec} insight={insight} name="" />}
          </WithSpec>
        )}
      </Match>
      <Match when={stored.isError}>
        <ErrorState title={t('common.error')} error={stored.error} onRetry={() => void stored.refetch()} />
      </Match>
    </Switch>
  )
}

function NewAlert(): JSX.Element {
  const { query } = currentLocation()
  const spec = parsed(query.get('spec'))
  const insight = query.get('insight')
  const question = (): AlertContent['question'] | undefined => {
    if (insight !== null) return { case: 'savedInsightId', value: insight }
    return spec && { case: 'spec', value: spec }
  }
  return (
    <Show when={question()} fallback={<ChooseInsight />} keyed>
      {(asked) => (
        <WithSpec question={asked}>
          {(found, saved) => (
            <Show when={firstPoint(found)} fallback={<Unsupported />}>
              <AlertForm
                question={asked}
                spec={found}
                insight={saved}
                name={saved?.content?.name ?? query.get('name') ?? ''}
              />
            </Show>
          )}
        </WithSpec>
      )}
    </Show>
  )
}

function parsed(text: string | null): InsightQuerySpec | undefined {
  try {
    return text === null ? undefined : parseSpec(text)
  } catch {
    return undefined
  }
}

/** The query of an alert: its own, or the current one of its saved insight. */
function WithSpec(props: {
  readonly question: AlertContent['question'] | undefined
  readonly children: (spec: InsightQuerySpec, insight: SavedInsight | undefined) => JSX.Element
}): JSX.Element {
  const own = (): InsightQuerySpec | undefined =>
    props.question?.case === 'spec' ? props.question.value : undefined
  const saved = useSavedInsight(() =>
    props.question?.case === 'savedInsightId' ? props.question.value : undefined,
  )
  // An alert that is read again has the same query in another object: the form stays, with what was typed in it.
  const spec = createMemo(() => own() ?? saved.insight()?.content?.spec, undefined, {
    equals: (a, b) => a === b || (a !== undefined && b !== undefined && equals(InsightQuerySpecSchema, a, b)),
  })
  return (
    <Switch fallback={<SkeletonLines count={8} heightPx={28} />}>
      <Match when={saved.failure()}>
        {(failure) => <ErrorState title={t('common.error')} error={failure()} />}
      </Match>
      <Match when={spec()} keyed>
        {(asked) => props.children(asked, saved.insight())}
      </Match>
    </Switch>
  )
}

function Unsupported(): JSX.Element {
  const workspace = useWorkspace()
  return (
    <EmptyState
      title={t('alerts.unsupported')}
      actions={<ButtonLink href={alertsHref(workspace().project.id)}>{t('alerts.allAlerts')}</ButtonLink>}
    />
  )
}

/** Saved insights to choose from, at most. */
const CHOICES_MAX = 100

function ChooseInsight(): JSX.Element {
  const workspace = useWorkspace()
  const projectId = (): string => workspace().project.id
  const found = useQuery(() => ({
    queryKey: [...savedInsightsKey(projectId()), 'choices', ''],
    queryFn: async () => (await savedInsightsClient.list({ pageSize: CHOICES_MAX })).insights,
    structuralSharing: false,
  }))
  const options = () =>
    (found.isSuccess ? unwrap(found.data) : [])
      .filter((insight) => isKept(insight) && insight.content?.spec && firstPoint(insight.content.spec))
      .map(({ id, content }) => ({ value: id, label: content?.name ?? '' }))
  return (
    <div class="alerts-choose">
      <h1>{t('alerts.new')}</h1>
      <Select
        label={t('alerts.chooseInsight')}
        hint={t('alerts.chooseHint')}
        placeholder={t('alerts.choose')}
        options={options()}
        value={undefined}
        onChange={(insight: string) => void navigate(newAlertHref(projectId(), { insight }))}
      />
    </div>
  )
}
