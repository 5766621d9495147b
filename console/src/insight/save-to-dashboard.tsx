import { create, fromJson, type JsonObject } from '@bufbuild/protobuf'
import {
  type DashboardTileInput,
  DashboardTileInputSchema,
} from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { InsightQuerySpecSchema } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { createResource, createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../app/workspace.ts'
import { addTile } from '../dashboard/change-tiles.ts'
import { dashboardsClient } from '../rpc/clients/dashboards.ts'
import { Async } from '../ui/async.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import type { Question } from './question.ts'
import { modeOf } from './tile-view.ts'
import type { View } from './view.ts'

interface SavedInsight {
  readonly spec: JsonObject
  readonly view: View
  readonly compare: Question['compare']
}

function tileOf({ spec, view, compare }: SavedInsight, displayName: string): DashboardTileInput {
  return create(DashboardTileInputSchema, {
    displayName,
    content: { case: 'insight', value: { spec: fromJson(InsightQuerySpecSchema, spec) } },
    viewMode: modeOf(view),
    compare: compare === 'prior' ? ComparePeriod.PRIOR : ComparePeriod.UNSPECIFIED,
  })
}

/** Adds an insight to a dashboard, one that is there or a new one. */
export function SaveToDashboard(props: SavedInsight & { readonly onClose: () => void }): JSX.Element {
  const workspace = useWorkspace()
  const [dashboards, { refetch }] = createResource(async () => (await dashboardsClient.list({})).dashboards)
  const [chosen, setChosen] = createSignal('')
  const [name, setName] = createSignal('')
  const [title, setTitle] = createSignal('')
  const [savedTo, setSavedTo] = createSignal('')
  const save = async (): Promise<void> => {
    const id =
      chosen() === '' ? (await dashboardsClient.create({ displayName: name() })).dashboard?.id : chosen()
    if (id === undefined) return
    // Whoever tries again after a failure adds to the dashboard that is there now.
    setChosen(id)
    await addTile(id, tileOf(props, title()))
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
            <Form submit="Add" onSubmit={save}>
              {(problem) => (
                <>
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
                    <TextField
                      label="Name of the new dashboard"
                      required
                      value={name()}
                      problem={problem('displayName')}
                      onInput={setName}
                    />
                  </Show>
                </>
              )}
            </Form>
          )}
        </Async>
      </Show>
    </Drawer>
  )
}
