import { create } from '@bufbuild/protobuf'
import { DashboardTileInputSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { createResource, createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../app/workspace.ts'
import { addTile } from '../dashboard/change-tiles.ts'
import { clientOf } from '../rpc/client.ts'
import { Async } from '../ui/async.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { partsOfTile, type SavedInsight } from './saved-insight.ts'

/** Adds an insight to a dashboard, one that is there or a new one. */
export function SaveToDashboard(props: SavedInsight & { readonly onClose: () => void }): JSX.Element {
  const workspace = useWorkspace()
  const [dashboards, { refetch }] = createResource(
    async () => (await clientOf(DashboardsService).list({})).dashboards,
  )
  const [chosen, setChosen] = createSignal('')
  const [name, setName] = createSignal('')
  const [title, setTitle] = createSignal('')
  const [savedTo, setSavedTo] = createSignal('')
  const save = async (): Promise<void> => {
    const id =
      chosen() === ''
        ? (await clientOf(DashboardsService).create({ displayName: name() })).dashboard?.id
        : chosen()
    if (id === undefined) return
    // Whoever tries again after a failure adds to the dashboard that is there now.
    setChosen(id)
    await addTile(id, create(DashboardTileInputSchema, { displayName: title(), ...partsOfTile(props) }))
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
