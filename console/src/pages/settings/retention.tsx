import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type Retention,
  RetentionService,
  type RetentionServicePreviewResponse,
} from '@contract/millrace/projects/v1/retention_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatDay, formatNumber } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { showToast } from '../../ui/toast.tsx'
import { withProof } from '../second-factor/with-proof.tsx'
import { FormCard } from './form-card.tsx'
import { Loaded } from './loaded.tsx'
import { RoleNote } from './role-note.tsx'

const retentionClient = clientOf(RetentionService)

/** A number of days that was entered, and what it would delete. */
interface Asked {
  readonly days: number
  readonly preview: RetentionServicePreviewResponse
}

/** How long the project keeps its events. */
export function RetentionSettings(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const stored = useQuery(() => ({
    queryKey: ['retention', workspace().project.id],
    queryFn: async () => (await retentionClient.get({})).retention,
    staleTime: 0,
  }))
  return (
    <Loaded query={stored}>
      {(retention) => (
        <Show
          when={may(RetentionService.method.set)}
          fallback={
            <Card title={t('settings.retention')}>
              <p class="settings-text">{describe(retention())}</p>
              <RoleNote />
            </Card>
          }
        >
          <RetentionForm retention={retention()} onSaved={async () => void (await stored.refetch())} />
        </Show>
      )}
    </Loaded>
  )
}

function describe({ days, serviceDays }: Retention): string {
  const kept = days || serviceDays
  return kept === 0 ? t('settings.retentionForever') : t('settings.retentionIs', { count: kept })
}

function RetentionForm(props: {
  readonly retention: Retention
  readonly onSaved: () => Promise<void>
}): JSX.Element {
  const workspace = useWorkspace()
  const [text, setText] = createSignal(props.retention.days === 0 ? '' : String(props.retention.days))
  const [asked, setAsked] = createSignal<Asked>()
  const isWrong = (): boolean => !/^\d{0,5}$/.test(text().trim())
  const set = async (days: number, expiredEvents: bigint): Promise<void> => {
    await withProof(async () => await retentionClient.set({ days, expiredEvents }))
    await props.onSaved()
    showToast({ text: t('settings.saved') })
  }
  const save = async (): Promise<void> => {
    const days = Number(text().trim())
    if (days === 0) return await set(0, 0n)
    const preview = await retentionClient.preview({ days })
    if (preview.expiredEvents === 0n) return await set(days, 0n)
    setAsked({ days, preview })
  }
  const keptFrom = ({ keptFrom: from }: RetentionServicePreviewResponse): string =>
    from ? formatDay(timestampMs(from), 'UTC') : ''
  return (
    <>
      <FormCard
        title={t('settings.retention')}
        text={`${describe(props.retention)} ${t('settings.retentionText')}`}
        submit={t('common.save')}
        tone="plain"
        done=""
        isBlocked={isWrong()}
        onSubmit={save}
      >
        {(problem) => (
          <Input
            label={t('settings.retentionDays')}
            hint={
              props.retention.serviceDays === 0
                ? t('settings.retentionHint')
                : t('settings.retentionMost', { count: props.retention.serviceDays })
            }
            inputmode="numeric"
            value={text()}
            problem={isWrong() ? t('settings.retentionWrong') : problem('days')}
            onInput={setText}
          />
        )}
      </FormCard>
      <Show when={asked()} keyed>
        {({ days, preview }) => (
          <ConfirmDialog
            title={t('settings.retentionAsk', { count: Number(preview.expiredEvents) })}
            text={t('settings.retentionConsequence', {
              number: formatNumber(Number(preview.expiredEvents)),
              day: keptFrom(preview),
            })}
            verb={t('settings.retentionVerb')}
            confirm={{ text: workspace().project.displayName.trim(), label: t('settings.typeProjectName') }}
            isOpen={true}
            onClose={() => setAsked(undefined)}
            onConfirm={async () => await set(days, preview.expiredEvents)}
          />
        )}
      </Show>
    </>
  )
}
