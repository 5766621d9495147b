import { toJsonString } from '@bufbuild/protobuf'
import { type Alert, type AlertContent, AlertContentSchema } from '@contract/millrace/alerts/v1/alert_pb.js'
import { AlertsService } from '@contract/millrace/alerts/v1/alerts_service_pb.js'
import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { unitOfPoint } from '@domain/alerts/value-unit.ts'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createSignal, type JSX, Show } from 'solid-js'
import { useKeys } from '../../context/keys.ts'
import { guardChanges, navigate } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { decodeSpec, titleOf, writeSpec } from '../../insights/spec.ts'
import { savedHref } from '../../library/saved-insights.ts'
import { textOfField } from '../../rpc/failure-text.ts'
import { createAction } from '../../ui/action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Input } from '../../ui/input.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import { keepVersion, type StoredVersion } from '../stored-version.ts'
import { type AlertDraft, encodeAlert, firstPoint, newAlert, readAlert } from './alert-draft.ts'
import { AlertHistory } from './alert-history.tsx'
import { alertsClient, alertsHref, refreshAlerts } from './alert-list.ts'
import { AlertMenu } from './alert-menu.tsx'
import { AlertPreview } from './alert-preview.tsx'
import { AlertBadges } from './alert-table.tsx'
import { ConditionCard } from './condition-card.tsx'
import './messages.ts'
import { NotifyCard } from './notify-card.tsx'

interface FormProps {
  /** Absent for a new one. */
  readonly alert?: Alert
  /** Of a new one. */
  readonly question?: AlertContent['question']
  readonly spec: InsightQuerySpec
  /** The saved insight, if the alert follows one. */
  readonly insight: SavedInsight | undefined
  /** The name that a new one begins with. */
  readonly name: string
}

/** The fields of an alert beside its preview and its checks. */
export function AlertForm(props: FormProps): JSX.Element {
  const workspace = useWorkspace()
  const form = createForm(props)
  const projectId = (): string => workspace().project.id
  const valueUnit = () => unitOfPoint(form.draft().point, props.spec)
  return (
    <>
      <PageBar class="alerts-bar">
        <nav class="alerts-crumbs" aria-label={t('alerts.title')}>
          <a href={alertsHref(projectId())}>{t('alerts.title')}</a>
          <ChevronRight />
          <h1 class="ui-ellipsis">{form.draft().name || t('alerts.new')}</h1>
          <Show when={props.alert}>{(alert) => <AlertBadges alert={alert()} />}</Show>
          <Show when={props.alert && form.isChanged()}>
            <Badge>{t('alerts.unsaved')}</Badge>
          </Show>
        </nav>
        <Show when={form.isEditor()}>
          <Show when={props.alert}>
            {(alert) => (
              <AlertMenu
                alert={alert()}
                onDeleted={() => {
                  form.discard()
                  navigate(alertsHref(projectId()))
                }}
              />
            )}
          </Show>
          <Button
            tone="primary"
            isDisabled={!form.canSave()}
            isLoading={form.action.isRunning()}
            onClick={form.save}
          >
            {t('common.save')}
          </Button>
        </Show>
      </PageBar>
      <Show when={form.action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <Show when={props.alert?.pauseMessage}>{(text) => <p class="alerts-error">{text()}</p>}</Show>
      <div class="alerts-columns">
        <fieldset class="alerts-main" disabled={!form.isEditor()}>
          <Card>
            <Input
              label={t('common.name')}
              required
              maxLength={255}
              value={form.draft().name}
              problem={form.problem('content.name')}
              onInput={(name) => form.change({ name })}
            />
          </Card>
          <ConditionCard
            draft={form.draft()}
            spec={props.spec}
            valueUnit={valueUnit()}
            insight={<InsightLink {...props} />}
            problem={form.problem}
            onChange={form.change}
          />
          <NotifyCard draft={form.draft()} problem={form.problem} onChange={form.change} />
        </fieldset>
        <div class="alerts-main">
          <AlertPreview draft={form.draft()} valueUnit={valueUnit()} />
          <Show when={props.alert}>{(alert) => <AlertHistory alert={alert()} />}</Show>
        </div>
      </div>
    </>
  )
}

/** The insight of an alert, which opens in the builder. */
function InsightLink(props: FormProps): JSX.Element {
  const workspace = useWorkspace()
  const href = (): string => {
    const { id } = workspace().project
    return props.insight
      ? savedHref(id, props.insight.id)
      : `/p/${id}/insights?${new URLSearchParams({ spec: writeSpec(props.spec) })}`
  }
  return <a href={href()}>{props.insight?.content?.name || titleOf(decodeSpec(props.spec))}</a>
}

function createForm(props: FormProps) {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const { alert, spec, question, name } = props
  const point = firstPoint(spec)
  const first = (): AlertDraft | undefined => {
    if (alert?.content) return readAlert(alert.content)
    return question && point && newAlert(name, question, point)
  }
  const start = first()
  if (!start) throw new Error('the form has no alert')
  const [draft, setDraft] = createSignal(start)
  const [isChanged, setChanged] = createSignal(false)
  const isEditor = (): boolean => may(alert ? AlertsService.method.update : AlertsService.method.create)
  const canSave = (): boolean => {
    const isNew = alert === undefined
    return draft().name.trim() !== '' && (isNew || isChanged()) && encodeAlert(draft()) !== undefined
  }
  const version = alert && versionOf(alert)
  guardChanges(() => isChanged() && !action.isRunning())
  const save = (): void => {
    // The menu may have paused it since it was read.
    const paused = props.alert?.content?.paused ?? false
    const content = encodeAlert({ ...draft(), paused })
    if (!content || !canSave()) return
    action.run(async () => {
      const projectId = workspace().project.id
      await version?.check()
      const stored = alert
        ? await alertsClient.update({ id: alert.id, content })
        : await alertsClient.create({ content })
      if (stored.alert) version?.accept(stored.alert)
      setChanged(false)
      showToast({ text: t('alerts.saved', { name: content.name }), tone: 'good' })
      void refreshAlerts(projectId)
      if (!alert && stored.alert) navigate(alertsHref(projectId, stored.alert.id), 'replace')
    })
  }
  if (isEditor()) useKeys([{ keys: 'mod+s', label: t('common.save'), run: save }])
  return {
    draft,
    change: (part: Partial<AlertDraft>): void => {
      setChanged(true)
      setDraft({ ...draft(), ...part })
    },
    problem: (path: string): string | undefined => {
      const failure = action.failure()
      return failure && textOfField(failure, path)
    },
    isChanged,
    discard: (): void => void setChanged(false),
    isEditor,
    canSave,
    save,
    action,
  }
}

function versionOf(alert: Alert): StoredVersion<Alert> {
  return keepVersion(alert, {
    read: async () => (await alertsClient.get({ id: alert.id })).alert,
    textOf: ({ content }) => (content ? toJsonString(AlertContentSchema, { ...content, paused: false }) : ''),
  })
}
