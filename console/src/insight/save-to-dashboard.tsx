import { create, fromJson, type JsonObject } from '@bufbuild/protobuf'
import { DashboardTileInputSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { InsightQuerySpecSchema } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { createResource, createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../app/workspace.ts'
import { addTile } from '../dashboard/change-tiles.ts'
import { rpc } from '../rpc/clients.ts'
import { createAction } from '../ui/action.ts'
import { Async, ErrorBox } from '../ui/async.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import type { Question } from './question.ts'
import { modeOf } from './tile-view.ts'
import type { View } from './view.ts'

/** Adds an insight to a dashboard, one that is there or a new one. */
export function SaveToDashboard(props: {
  readonly spec: JsonObject
  readonly view: View
  readonly compare: Question['compare']
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const [dashboards, { refetch }] = createResource(async () => (await rpc.dashboards.list({})).dashboards)
  const [chosen, setChosen] = createSignal('')
  const [name, setName] = createSignal('')
  const [title, setTitle] = createSignal('')
  const [savedTo, setSavedTo] = createSignal('')
  const action = createAction()
  const save = async (): Promise<void> => {
    const id =
      chosen() === '' ? (await rpc.dashboards.create({ displayName: name() })).dashboard?.id : chosen()
    if (id === undefined) return
    // Whoever tries again after a failure adds to the dashboard that is there now.
    setChosen(id)
    const spec = fromJson(InsightQuerySpecSchema, props.spec)
    const tile = create(DashboardTileInputSchema, {
      displayName: title(),
      content: { case: 'insight', value: { spec } },
      viewMode: modeOf(props.view),
      compare: props.compare === 'prior' ? ComparePeriod.PRIOR : ComparePeriod.UNSPECIFIED,
    })
    await addTile(id, tile)
    setSavedTo(id)
  }
  return (
    <Drawer title="Add to a dashboard" look="dialog" onClose={props.onClose}>
      <Show
        when={savedTo() === ''}
        fallback={
          <p role="status">
            Added. <a href={`/p/${workspace().project.id}/dashboards/${savedTo()}`}>Open the dashboard</a>
          </p>
        }
      >
        <Async of={dashboards} retry={() => void refetch()}>
          {(list) => (
            <form
              class="stack"
              onSubmit={(event) => {
                event.preventDefault()
                action.run(save)
              }}
            >
              <TextField label="Title of the tile" required value={title()} onInput={setTitle} />
              <SelectField
                label="Dashboard"
                value={chosen()}
                choices={[
                  { value: '', label: 'A new one' },
                  ...list().map(({ id, displayName }) => ({ value: id, label: displayName })),
                ]}
                onChange={setChosen}
              />
              <Show when={chosen() === ''}>
                <TextField label="Name of the new dashboard" required value={name()} onInput={setName} />
              </Show>
              <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
              <button type="submit" class="button primary" disabled={action.isRunning()}>
                Add
              </button>
            </form>
          )}
        </Async>
      </Show>
    </Drawer>
  )
}
