import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { Alert, AlertContent } from '@contract/millrace/alerts/v1/alert_pb.js'
import BellOff from 'lucide-solid/icons/bell-off'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import Pause from 'lucide-solid/icons/pause'
import Play from 'lucide-solid/icons/play'
import Send from 'lucide-solid/icons/send'
import Trash from 'lucide-solid/icons/trash'
import type { JSX } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { writeFailure } from '../../rpc/failure-text.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { showToast, showUndo } from '../../ui/toast.tsx'
import { describeError } from '../channels/channel-words.ts'
import { alertsClient, refreshAlerts } from './alert-list.ts'
import { snoozedUntil, writeNumberOf } from './alert-words.ts'
import './messages.ts'

const HOUR_MS = 3_600_000

const SNOOZES = [
  { label: 'alerts.snoozeHour', ms: HOUR_MS },
  { label: 'alerts.snoozeDay', ms: 24 * HOUR_MS },
  { label: 'alerts.snoozeWeek', ms: 7 * 24 * HOUR_MS },
] as const

/** What may be done with a stored alert. */
export function AlertMenu(props: {
  readonly alert: Alert
  readonly onChanged?: () => void
  readonly onDeleted?: () => void
}): JSX.Element {
  const actions = createActions(props)
  const entries = (): readonly MenuEntry[] => {
    const { alert } = props
    const isSnoozed = snoozedUntil(alert, Date.now()) !== undefined
    return [
      { label: t('alerts.test'), icon: () => <Send />, onSelect: actions.test },
      {
        label: t(alert.content?.paused ? 'alerts.resume' : 'alerts.pause'),
        icon: () => (alert.content?.paused ? <Play /> : <Pause />),
        onSelect: actions.togglePause,
      },
      'line',
      { heading: t('alerts.snooze') },
      ...(isSnoozed
        ? [{ label: t('alerts.snoozeEnd'), icon: () => <BellOff />, onSelect: () => actions.snooze(0) }]
        : SNOOZES.map(({ label, ms }) => ({
            label: t(label),
            icon: () => <BellOff />,
            onSelect: () => actions.snooze(ms),
          }))),
      'line',
      { label: t('alerts.delete'), icon: () => <Trash />, tone: 'danger', onSelect: actions.remove },
    ]
  }
  return (
    <Menu
      placement="bottom-end"
      trigger={(attributes) => (
        <IconButton
          {...attributes}
          tone="ghost"
          size="small"
          name={t('alerts.actions', { name: props.alert.content?.name ?? '' })}
        >
          <Ellipsis />
        </IconButton>
      )}
      entries={entries()}
    />
  )
}

function createActions(props: Parameters<typeof AlertMenu>[0]) {
  const workspace = useWorkspace()
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
      await refreshAlerts(workspace().project.id)
      props.onChanged?.()
    } catch (thrown) {
      showToast({ tone: 'bad', text: `${t('ui.failed')}: ${await writeFailure(thrown)}` })
    }
  }
  const remove = async (): Promise<void> => {
    const { alert, onDeleted } = props
    const { content } = alert
    await alertsClient.delete({ id: alert.id })
    onDeleted?.()
    if (!content) return
    const restore = (): void => void run(async () => await alertsClient.create({ content }))
    showUndo(t('alerts.deleted', { name: content.name }), restore)
  }
  return {
    test: () => void run(async () => await sendTest(props.alert)),
    togglePause: () =>
      void run(async () => {
        const { id, content } = props.alert
        if (content) await alertsClient.update({ id, content: withPause(content, !content.paused) })
      }),
    snooze: (ms: number) =>
      void run(async () => {
        const until = ms === 0 ? {} : { until: timestampFromMs(Date.now() + ms) }
        await alertsClient.snooze({ id: props.alert.id, ...until })
      }),
    remove: () => void run(remove),
  }
}

function withPause(content: AlertContent, paused: boolean): AlertContent {
  return { ...content, paused }
}

/** Checks an alert now, notifies its channels, and shows the number and the first failure. */
async function sendTest(alert: Alert): Promise<void> {
  const { check, deliveries } = await alertsClient.test({ id: alert.id })
  const failed = deliveries.filter(({ error }) => error !== '')
  const [first] = failed
  if (first) {
    const error = describeError(first)
    showToast({
      tone: 'bad',
      text: t('alerts.testFailed', { count: failed.length, error }),
      duration: 'long',
    })
    return
  }
  showToast({
    tone: 'good',
    text: t('alerts.testDone', { value: writeNumberOf(alert, check), count: deliveries.length }),
    duration: 'long',
  })
}
