import type { DashboardTile, DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import {
  VisualizationOptions_LegendPosition as LegendPosition,
  VisualizationOptions_YAxisFormat as ValueFormat,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { type JSX, Show } from 'solid-js'
import { createStore, type SetStoreFunction, unwrap } from 'solid-js/store'
import { useWorkspace } from '../app/workspace.ts'
import { Check } from '../insight/builder-parts.tsx'
import { isComparable } from '../insight/compare.ts'
import type { InsightType } from '../insight/draft.ts'
import { viewsOfTile } from '../insight/tile-view.ts'
import { VIEW_NAMES } from '../insight/view.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox } from '../ui/async.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { writeTileQuestion } from './question-address.ts'
import { RuleFields } from './rule-fields.tsx'
import { applyDraft, draftOfTile, type TileDraft, typeOfTile } from './tile-draft.ts'

const FORMAT_CHOICES = [
  { value: String(ValueFormat.UNSPECIFIED), label: 'As suits the metric' },
  { value: String(ValueFormat.NUMBER), label: 'Number' },
  { value: String(ValueFormat.COMPACT), label: 'Number, short' },
  { value: String(ValueFormat.PERCENT), label: 'Percent' },
  { value: String(ValueFormat.DURATION_MS), label: 'Duration, from milliseconds' },
] as const

const LEGEND_CHOICES = [
  { value: String(LegendPosition.BOTTOM), label: 'Below' },
  { value: String(LegendPosition.TOP), label: 'Above' },
  { value: String(LegendPosition.RIGHT), label: 'On the right' },
  { value: 'hidden', label: 'Nowhere' },
] as const

/** Everything about a tile but where it stands. */
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
        <Check
          label="Hide the title"
          isOn={draft.hidesTitle}
          onChange={(hidesTitle) => setDraft({ hidesTitle })}
        />
        <Check
          label="Without a border"
          isOn={draft.isBorderless}
          onChange={(isBorderless) => setDraft({ isBorderless })}
        />
        <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
        <div class="row spread">
          <button type="submit" class="button primary" disabled={action.isRunning()}>
            Save the tile
          </button>
          <button
            type="button"
            class="button danger"
            disabled={action.isRunning()}
            onClick={() => action.run(props.remove)}
          >
            Remove the tile
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
  const isTrends = (): boolean => props.type === 'INSIGHT_TYPE_TRENDS'
  return (
    <>
      <TextField
        label="Text under the title"
        value={props.draft.description}
        onInput={(description) => setDraft({ description })}
      />
      <SelectField
        label="Shown as"
        value={props.draft.view}
        choices={viewsOfTile(props.tile).map((value) => ({ value, label: VIEW_NAMES[value] }))}
        onChange={(view) => setDraft({ view })}
      />
      <Show when={isComparable(props.type)}>
        <Check
          label="Compare with the time before"
          isOn={props.draft.isCompared}
          onChange={(isCompared) => setDraft({ isCompared })}
        />
      </Show>
      <RuleFields rules={props.draft.rules} onChange={(rules) => setDraft({ rules })} />
      <SelectField
        label="Values are written as"
        value={String(props.draft.format)}
        choices={FORMAT_CHOICES}
        onChange={(format) => setDraft({ format: Number(format) })}
      />
      <Show when={isTrends()}>
        <SelectField
          label="Names of the series"
          value={props.draft.hidesLegend ? 'hidden' : String(props.draft.legend)}
          choices={LEGEND_CHOICES}
          onChange={(place) =>
            setDraft(
              place === 'hidden' ? { hidesLegend: true } : { hidesLegend: false, legend: Number(place) },
            )
          }
        />
        <Check
          label="Logarithmic axis"
          isOn={props.draft.isLogarithmic}
          onChange={(isLogarithmic) => setDraft({ isLogarithmic })}
        />
        <Check
          label="No small line beside the number"
          isOn={props.draft.hidesSparkline}
          onChange={(hidesSparkline) => setDraft({ hidesSparkline })}
        />
      </Show>
      <Show when={props.draft.view === 'pie'}>
        <Check
          label="No shares beside the numbers"
          isOn={props.draft.hidesPieLabels}
          onChange={(hidesPieLabels) => setDraft({ hidesPieLabels })}
        />
      </Show>
      <QuestionLink tile={props.tile} />
    </>
  )
}

function QuestionLink(props: { readonly tile: DashboardTile }): JSX.Element {
  const workspace = useWorkspace()
  const address = (): string =>
    `/p/${workspace().project.id}/insights?${new URLSearchParams(writeTileQuestion(props.tile))}`
  return (
    <p>
      <a href={address()}>Open the question in Insights</a>
    </p>
  )
}
