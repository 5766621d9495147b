import type { DashboardTile, DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import {
  VisualizationOptions_LegendPosition as LegendPosition,
  VisualizationOptions_YAxisFormat as ValueFormat,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { type JSX, Show } from 'solid-js'
import { createStore, type SetStoreFunction, unwrap } from 'solid-js/store'
import type { View } from '../charts/chart.ts'
import { type NameKey, t } from '../i18n/translate.ts'
import type { InsightType } from '../insights/model/draft.ts'
import type { TileSetting } from '../insights/model/insight-type.ts'
import { INSIGHT_TYPES } from '../insights/types/insight-types.ts'
import { createAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/combobox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox, Input, TextArea } from '../ui/input.tsx'
import { ErrorState } from '../ui/states.tsx'
import { bucketChoicesOf, writeBuckets } from './bucket-choices.ts'
import { RuleFields } from './rule-fields.tsx'
import { applyDraft, draftOfTile, type TileDraft, typeOfTile } from './tile-draft.ts'
import { viewsOfTile } from './tile-view.ts'

const FORMATS = {
  [ValueFormat.UNSPECIFIED]: 'dashboards.formatDefault',
  [ValueFormat.NUMBER]: 'dashboards.formatNumber',
  [ValueFormat.COMPACT]: 'dashboards.formatCompact',
  [ValueFormat.PERCENT]: 'dashboards.formatPercent',
  [ValueFormat.DURATION_MS]: 'dashboards.formatDuration',
} as const satisfies Record<ValueFormat, NameKey>

const LEGENDS = {
  [LegendPosition.BOTTOM]: 'dashboards.legendBelow',
  [LegendPosition.TOP]: 'dashboards.legendAbove',
  [LegendPosition.RIGHT]: 'dashboards.legendRight',
  hidden: 'dashboards.legendHidden',
} as const satisfies Readonly<Record<string, NameKey>>

const VIEWS = {
  line: 'dashboards.viewLine',
  area: 'dashboards.viewArea',
  bars: 'dashboards.viewStacked',
  grouped: 'dashboards.viewBars',
  kpi: 'dashboards.viewNumber',
  chart: 'dashboards.viewChart',
  pie: 'dashboards.viewPie',
  table: 'dashboards.viewTable',
} as const satisfies Record<View, NameKey>

function optionsOf(names: Readonly<Record<string, NameKey>>) {
  return Object.entries(names).map(([value, name]) => ({ value, label: t(name) }))
}

/** Edits how a tile is shown, or its text. The query of an insight is edited in the builder. */
export function TileSettings(props: {
  readonly tile: DashboardTile
  readonly save: (tile: DashboardTileInput) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const [draft, setDraft] = createStore<TileDraft>(draftOfTile(props.tile))
  const action = createAction()
  const isText = (): boolean => props.tile.content.case === 'markdown'
  const save = async (): Promise<void> => {
    await props.save(applyDraft(props.tile, unwrap(draft)))
    props.onClose()
  }
  return (
    <Dialog
      title={t(isText() ? 'dashboards.editText' : 'dashboards.tileSettings')}
      isOpen
      onClose={() => props.onClose()}
      foot={
        <>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button tone="primary" isLoading={action.isRunning()} onClick={() => action.run(save)}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form
        class="tile-settings"
        onSubmit={(event) => {
          event.preventDefault()
          action.run(save)
        }}
      >
        <Input
          label={t('common.name')}
          value={draft.title}
          maxlength={255}
          onInput={(title) => setDraft({ title })}
        />
        <Show when={typeOfTile(props.tile)} fallback={<TextFields draft={draft} setDraft={setDraft} />}>
          {(type) => <InsightFields tile={props.tile} type={type()} draft={draft} setDraft={setDraft} />}
        </Show>
        <Checkbox
          label={t('dashboards.hideName')}
          isChecked={draft.hidesTitle}
          onChange={(hidesTitle) => setDraft({ hidesTitle })}
        />
        <Checkbox
          label={t('dashboards.hideBorder')}
          isChecked={draft.isBorderless}
          onChange={(isBorderless) => setDraft({ isBorderless })}
        />
        <Show when={action.failure()}>
          {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
        </Show>
      </form>
    </Dialog>
  )
}

interface FieldsProps {
  readonly draft: TileDraft
  readonly setDraft: SetStoreFunction<TileDraft>
}

function TextFields(props: FieldsProps): JSX.Element {
  return (
    <TextArea
      label={t('dashboards.markdown')}
      hint={t('dashboards.markdownHint')}
      rows={10}
      value={props.draft.body}
      onInput={(body) => props.setDraft({ body })}
    />
  )
}

function InsightFields(
  props: FieldsProps & { readonly tile: DashboardTile; readonly type: InsightType },
): JSX.Element {
  const { setDraft } = props
  return (
    <>
      <Input
        label={t('dashboards.description')}
        hint={t('dashboards.descriptionHint')}
        value={props.draft.description}
        onInput={(description) => setDraft({ description })}
      />
      <Select<View>
        label={t('dashboards.view')}
        value={props.draft.view}
        options={viewsOfTile(props.tile).map((value) => ({ value, label: t(VIEWS[value]) }))}
        onChange={(view) => setDraft({ view })}
      />
      <Select
        label={t('dashboards.interval')}
        value={writeBuckets(props.draft.granularity)}
        options={bucketChoicesOf(props.type).map(({ value, name }) => ({ value, label: t(name) }))}
        onChange={(granularity) => setDraft({ granularity: Number(granularity) })}
      />
      <Show when={INSIGHT_TYPES[props.type].comparable}>
        <Checkbox
          label={t('dashboards.compareTile')}
          isChecked={props.draft.isCompared}
          onChange={(isCompared) => setDraft({ isCompared })}
        />
      </Show>
      <ChartFields {...props} />
      <RuleFields rules={props.draft.rules} onChange={(rules) => setDraft({ rules })} />
    </>
  )
}

function ChartFields(props: FieldsProps & { readonly type: InsightType }): JSX.Element {
  const { setDraft } = props
  const has = (setting: TileSetting): boolean => INSIGHT_TYPES[props.type].tileSettings.includes(setting)
  return (
    <>
      <Select
        label={t('dashboards.format')}
        value={String(props.draft.format)}
        options={optionsOf(FORMATS)}
        onChange={(format) => setDraft({ format: Number(format) })}
      />
      <Show when={has('legend')}>
        <Select
          label={t('dashboards.legend')}
          value={props.draft.hidesLegend ? 'hidden' : String(props.draft.legend)}
          options={optionsOf(LEGENDS)}
          onChange={(position) =>
            setDraft(
              position === 'hidden'
                ? { hidesLegend: true }
                : { hidesLegend: false, legend: Number(position) },
            )
          }
        />
      </Show>
      <Show when={has('scale')}>
        <Checkbox
          label={t('dashboards.logarithmic')}
          isChecked={props.draft.isLogarithmic}
          onChange={(isLogarithmic) => setDraft({ isLogarithmic })}
        />
      </Show>
      <Show when={has('sparkline')}>
        <Checkbox
          label={t('dashboards.hideSparkline')}
          isChecked={props.draft.hidesSparkline}
          onChange={(hidesSparkline) => setDraft({ hidesSparkline })}
        />
      </Show>
      <Show when={props.draft.view === 'pie'}>
        <Checkbox
          label={t('dashboards.hidePercentages')}
          isChecked={props.draft.hidesPieLabels}
          onChange={(hidesPieLabels) => setDraft({ hidesPieLabels })}
        />
      </Show>
    </>
  )
}
