import type { DashboardTile, DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import {
  VisualizationOptions_LegendPosition as LegendPosition,
  VisualizationOptions_YAxisFormat as ValueFormat,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { type JSX, Show } from 'solid-js'
import { createStore, type SetStoreFunction, unwrap } from 'solid-js/store'
import { useWorkspace } from '../context/workspace.ts'
import type { InsightType } from '../insights/model/draft.ts'
import type { TileSetting } from '../insights/model/insight-type.ts'
import { VIEW_NAMES } from '../insights/model/views.ts'
import { INSIGHT_TYPES } from '../insights/types/insight-types.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox } from '../ui/async.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { CheckField, SelectField, TextField } from '../ui/field.tsx'
import { RuleFields } from './rule-fields.tsx'
import { applyDraft, draftOfTile, type TileDraft, typeOfTile } from './tile-draft.ts'
import { viewsOfTile, writeTileQuery } from './tile-view.ts'

const FORMAT_CHOICES = [
  { value: String(ValueFormat.UNSPECIFIED), label: 'Default of the measure' },
  { value: String(ValueFormat.NUMBER), label: 'Number' },
  { value: String(ValueFormat.COMPACT), label: 'Short number' },
  { value: String(ValueFormat.PERCENT), label: 'Percent' },
  { value: String(ValueFormat.DURATION_MS), label: 'Duration in milliseconds' },
] as const

const LEGEND_CHOICES = [
  { value: String(LegendPosition.BOTTOM), label: 'Below' },
  { value: String(LegendPosition.TOP), label: 'Above' },
  { value: String(LegendPosition.RIGHT), label: 'Right' },
  { value: 'hidden', label: 'Hidden' },
] as const

/** Edits a tile, apart from its position. */
export function TileEditor(props: {
  readonly tile: DashboardTile
  readonly save: (tile: DashboardTileInput) => Promise<void>
  readonly remove: () => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const [draft, setDraft] = createStore<TileDraft>(draftOfTile(props.tile))
  const action = createAction()
  return (
    <Drawer title="Tile" onClose={props.onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          action.run(() => props.save(applyDraft(props.tile, unwrap(draft))))
        }}
      >
        <TextField label="Title" value={draft.title} onInput={(title) => setDraft({ title })} />
        <Show when={typeOfTile(props.tile)} fallback={<TextFields draft={draft} setDraft={setDraft} />}>
          {(type) => <InsightFields tile={props.tile} type={type()} draft={draft} setDraft={setDraft} />}
        </Show>
        <CheckField
          label="Hide title"
          isChecked={draft.hidesTitle}
          onChange={(hidesTitle) => setDraft({ hidesTitle })}
        />
        <CheckField
          label="Hide border"
          isChecked={draft.isBorderless}
          onChange={(isBorderless) => setDraft({ isBorderless })}
        />
        <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
        <div class="row spread">
          <button type="submit" class="button primary" disabled={action.isRunning()}>
            Save tile
          </button>
          <button
            type="button"
            class="button danger"
            disabled={action.isRunning()}
            onClick={() => action.run(props.remove)}
          >
            Delete tile
          </button>
        </div>
      </form>
    </Drawer>
  )
}

interface FieldsProps {
  readonly draft: TileDraft
  readonly setDraft: SetStoreFunction<TileDraft>
}

function TextFields(props: FieldsProps): JSX.Element {
  return (
    <label class="field">
      <span class="label">Markdown</span>
      <textarea
        rows="10"
        required
        value={props.draft.body}
        onInput={(event) => props.setDraft({ body: event.currentTarget.value })}
      />
    </label>
  )
}

function InsightFields(
  props: FieldsProps & { readonly tile: DashboardTile; readonly type: InsightType },
): JSX.Element {
  const { setDraft } = props
  const has = (setting: TileSetting): boolean => INSIGHT_TYPES[props.type].tileSettings.includes(setting)
  return (
    <>
      <TextField
        label="Description"
        value={props.draft.description}
        onInput={(description) => setDraft({ description })}
      />
      <SelectField
        label="View"
        value={props.draft.view}
        choices={viewsOfTile(props.tile).map((value) => ({ value, label: VIEW_NAMES[value] }))}
        onChange={(view) => setDraft({ view })}
      />
      <Show when={INSIGHT_TYPES[props.type].comparable}>
        <CheckField
          label="Compare to previous period"
          isChecked={props.draft.isCompared}
          onChange={(isCompared) => setDraft({ isCompared })}
        />
      </Show>
      <RuleFields rules={props.draft.rules} onChange={(rules) => setDraft({ rules })} />
      <SelectField
        label="Number format"
        value={String(props.draft.format)}
        choices={FORMAT_CHOICES}
        onChange={(format) => setDraft({ format: Number(format) })}
      />
      <Show when={has('legend')}>
        <SelectField
          label="Legend"
          value={props.draft.hidesLegend ? 'hidden' : String(props.draft.legend)}
          choices={LEGEND_CHOICES}
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
        <CheckField
          label="Logarithmic axis"
          isChecked={props.draft.isLogarithmic}
          onChange={(isLogarithmic) => setDraft({ isLogarithmic })}
        />
      </Show>
      <Show when={has('sparkline')}>
        <CheckField
          label="Hide the sparkline"
          isChecked={props.draft.hidesSparkline}
          onChange={(hidesSparkline) => setDraft({ hidesSparkline })}
        />
      </Show>
      <Show when={props.draft.view === 'pie'}>
        <CheckField
          label="Hide percentages"
          isChecked={props.draft.hidesPieLabels}
          onChange={(hidesPieLabels) => setDraft({ hidesPieLabels })}
        />
      </Show>
      <QueryLink tile={props.tile} />
    </>
  )
}

function QueryLink(props: { readonly tile: DashboardTile }): JSX.Element {
  const workspace = useWorkspace()
  const address = (): string =>
    `/p/${workspace().project.id}/insights?${new URLSearchParams(writeTileQuery(props.tile))}`
  return (
    <p>
      <a href={address()}>Open in insights</a>
    </p>
  )
}
