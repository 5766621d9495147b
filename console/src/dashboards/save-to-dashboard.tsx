import { create } from '@bufbuild/protobuf'
import { DashboardTileInputSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { createResource, createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { Async } from '../ui/async.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { addTile } from './change-tiles.ts'
import { type SavedInsight, tileFieldsOf } from './tile-view.ts'

const dashboardsClient = clientOf(DashboardsService)

/** Adds an insight to an existing or a new dashboard. */
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
    // A retry after a failure adds to the dashboard that was just created.
    setChosen(id)
    await addTile(id, create(DashboardTileInputSchema, { displayName: title(), ...tileFieldsOf(props) }))
    setSavedTo(id)
  }
  return (
    <Drawer title="Add to dashboard" look="dialog" onClose={props.onClose}>
      <Show
        when={savedTo() === ''}
        fallback={
          <p role="status">
            Added. <a href={`/p/${workspace().project.id}/dashboards/${savedTo()}`}>Open dashboard</a>
          </p>
        }
      >
        <Async of={dashboards} retry={() => void refetch()}>
          {(list) => (
            <Form submit="Add" onSubmit={save}>
              {(problem) => (
                <>
                  <TextField label="Tile title" required value={title()} onInput={setTitle} />
                  <SelectField
                    label="Dashboard"
                    value={chosen()}
                    choices={[
                      { value: '', label: 'New dashboard' },
                      ...list().map(({ id, displayName }) => ({ value: id, label: displayName })),
                    ]}
                    onChange={setChosen}
                  />
                  <Show when={chosen() === ''}>
                    <TextField
                      label="Dashboard name"
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
