import { timestampMs } from '@bufbuild/protobuf/wkt'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { navigate } from '../context/router.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { formatDay } from '../format/values.ts'
import { clientOf } from '../rpc/client.ts'
import { Async, Empty } from '../ui/async.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { DashboardPage } from './dashboard.tsx'

const dashboardsClient = clientOf(DashboardsService)

/** The list of dashboards, or one dashboard. */
export function DashboardsPage(props: { readonly rest: string }): JSX.Element {
  return (
    <Show when={props.rest} keyed fallback={<DashboardList />}>
      {(id) => <DashboardPage id={id} />}
    </Show>
  )
}

function DashboardList(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [dashboards, { refetch }] = createResource(async () => (await dashboardsClient.list({})).dashboards)
  return (
    <>
      <header class="page-head">
        <h1>Dashboards</h1>
        <Show when={may(DashboardsService.method.create)}>
          <CreateForm />
        </Show>
      </header>
      <Async of={dashboards} retry={() => void refetch()} lines={6}>
        {(list) => (
          <Show
            when={list().length > 0}
            fallback={
              <Empty title="No dashboards yet">
                Create one above, or add an <a href={`/p/${workspace().project.id}/insights`}>insight</a> to a
                new one.
              </Empty>
            }
          >
            <ul class="cards">
              <For each={list()}>
                {({ id, displayName, description, updateTime, shareId }) => (
                  <li class="card">
                    <h2>
                      <a href={`/p/${workspace().project.id}/dashboards/${id}`}>{displayName}</a>
                    </h2>
                    <p class="quiet">{description}</p>
                    <p class="quiet small">
                      Changed {updateTime ? formatDay(timestampMs(updateTime), workspace().timeZone) : ''}
                      {shareId === '' ? '' : ' · shared'}
                    </p>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        )}
      </Async>
    </>
  )
}

function CreateForm(): JSX.Element {
  const workspace = useWorkspace()
  const [name, setName] = createSignal('')
  const create = async (): Promise<void> => {
    const { dashboard } = await dashboardsClient.create({ displayName: name() })
    if (dashboard) navigate(`/p/${workspace().project.id}/dashboards/${dashboard.id}`)
  }
  return (
    <div>
      <Form submit="Create" look="row" tone="plain" onSubmit={create}>
        {(problem) => (
          <TextField
            label="New dashboard"
            required
            value={name()}
            problem={problem('displayName')}
            onInput={setName}
          />
        )}
      </Form>
    </div>
  )
}
