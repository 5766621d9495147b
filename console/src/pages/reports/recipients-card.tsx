import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  RecipientState,
  type Report,
  type ReportRecipient,
  ReportsService,
} from '@contract/millrace/reports/v1/reports_service_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { t } from '../../i18n/translate.ts'
import { createAction } from '../../ui/action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextArea } from '../../ui/input.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ADDRESSES_MAX, parseAddresses } from '../channels/channel-draft.ts'
import type { FindProblem } from '../settings/form-card.tsx'
import type { ReportDraft } from './report-draft.ts'
import { refreshReports, reportsClient } from './report-list.ts'
import { RECIPIENT_STATES } from './report-words.ts'
import './messages.ts'

/** Who gets a report: the addresses to edit, and the state of each stored one. */
export function RecipientsCard(props: {
  readonly draft: ReportDraft
  readonly report: Report | undefined
  readonly problem: FindProblem
  readonly onChange: (part: Partial<ReportDraft>) => void
}): JSX.Element {
  /** The first address that the service rejects, and the reason. */
  const problem = (): string | undefined => {
    const sent = parseAddresses(props.draft.addresses)
    if (sent.length > ADDRESSES_MAX) return t('reports.addressMany', { count: ADDRESSES_MAX })
    const texts = sent.map((_, at) => props.problem(`report.addresses[${at}]`))
    const at = texts.findIndex((text) => text !== undefined)
    return at < 0 ? props.problem('report.addresses') : `${sent[at]}: ${texts[at]}`
  }
  return (
    <Card title={t('reports.recipients')}>
      <div class="reports-fields">
        <TextArea
          label={t('channels.addresses')}
          hint={t('reports.addressesHint')}
          rows={4}
          placeholder="ada@example.com"
          value={props.draft.addresses}
          problem={problem()}
          onInput={(addresses) => props.onChange({ addresses })}
        />
        <Show when={props.report}>
          {(report) => (
            <ul class="reports-recipients">
              <For each={report().recipients}>
                {(recipient) => <Recipient report={report()} recipient={recipient} />}
              </For>
            </ul>
          )}
        </Show>
      </div>
    </Card>
  )
}

function Recipient(props: { readonly report: Report; readonly recipient: ReportRecipient }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const nowMs = createClock()
  const state = () => RECIPIENT_STATES[props.recipient.state]
  const isAskable = (): boolean =>
    props.recipient.state !== RecipientState.ACTIVE && may(ReportsService.method.resendConfirmation)
  const asked = (): string => {
    const { askedTime } = props.recipient
    if (!askedTime || props.recipient.state === RecipientState.ACTIVE) return ''
    const { timeZone } = workspace()
    return t('reports.askedAt', { time: formatAgo(timestampMs(askedTime), { nowMs: nowMs(), timeZone }) })
  }
  const ask = async (): Promise<void> => {
    const { address } = props.recipient
    await reportsClient.resendConfirmation({ id: props.report.id, address })
    showToast({ tone: 'good', text: t('reports.asked', { address }) })
    void refreshReports(workspace().project.id)
  }
  return (
    <li>
      <span class="reports-address">{props.recipient.address}</span>
      <Badge tone={state().tone}>{t(state().label)}</Badge>
      <Show when={asked()}>{(text) => <span class="reports-quiet">{text()}</span>}</Show>
      <Show when={isAskable()}>
        <Button
          size="small"
          aria-label={t('reports.askNamed', { address: props.recipient.address })}
          isLoading={action.isRunning()}
          onClick={() => action.run(ask)}
        >
          {t('reports.ask')}
        </Button>
      </Show>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </li>
  )
}
