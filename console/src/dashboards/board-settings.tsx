import { TimeRangePreset } from '@contract/common/v1/time_range_pb.js'
import { Granularity } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { presetName, type RangePresetName } from '@domain/time-ranges.ts'
import type { JSX } from 'solid-js'
import { Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import { t } from '../i18n/translate.ts'
import { createAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/combobox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Input } from '../ui/input.tsx'
import { namePeriod } from '../ui/period-labels.ts'
import { ErrorState } from '../ui/states.tsx'
import { useBoard } from './board.ts'
import { periodOfPreset } from './board-state.ts'
import { BUCKET_CHOICES, writeBuckets } from './bucket-choices.ts'

const PRESETS: readonly RangePresetName[] = [
  'LAST_24_HOURS',
  'LAST_7_DAYS',
  'LAST_14_DAYS',
  'LAST_30_DAYS',
  'LAST_90_DAYS',
  'LAST_180_DAYS',
  'LAST_365_DAYS',
]

/** Edits the name of a dashboard and what it opens with. */
export function BoardSettingsDialog(props: { readonly onClose: () => void }): JSX.Element {
  const board = useBoard()
  const action = createAction()
  const { displayName, description, defaultTimeRange, defaultGranularity } = board.dashboard()
  const [draft, setDraft] = createStore({
    displayName,
    description,
    range: presetName(defaultTimeRange),
    granularity: defaultGranularity || Granularity.DAY,
  })
  const save = async (): Promise<void> => {
    await board.update({
      displayName: draft.displayName.trim(),
      description: draft.description,
      defaultTimeRange: TimeRangePreset[draft.range],
      defaultGranularity: draft.granularity,
    })
    props.onClose()
  }
  const presets = (): readonly RangePresetName[] =>
    PRESETS.includes(draft.range) ? PRESETS : [draft.range, ...PRESETS]
  return (
    <Dialog
      title={t('dashboards.settings')}
      isOpen
      onClose={() => props.onClose()}
      foot={
        <>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            isDisabled={draft.displayName.trim() === ''}
            isLoading={action.isRunning()}
            onClick={() => action.run(save)}
          >
            {t('common.save')}
          </Button>
        </>
      }
    >
      <div class="tile-settings">
        <Input
          label={t('common.name')}
          value={draft.displayName}
          maxlength={255}
          onInput={(text) => setDraft({ displayName: text })}
        />
        <Input
          label={t('dashboards.description')}
          value={draft.description}
          maxlength={4096}
          onInput={(text) => setDraft({ description: text })}
        />
        <Select
          label={t('dashboards.opensWith')}
          value={draft.range}
          options={presets().map((value) => ({
            value,
            label: namePeriod(periodOfPreset(value), board.asOf().today),
          }))}
          onChange={(range) => setDraft({ range })}
        />
        <Select
          label={t('dashboards.interval')}
          value={writeBuckets(draft.granularity)}
          options={BUCKET_CHOICES.slice(1).map(({ value, name }) => ({ value, label: t(name) }))}
          onChange={(granularity) => setDraft({ granularity: Number(granularity) })}
        />
        <Show when={action.failure()}>
          {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
        </Show>
      </div>
    </Dialog>
  )
}
