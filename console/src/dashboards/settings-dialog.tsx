import { TimeRangePreset } from '@contract/common/v1/time_range_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import { GRANULARITIES, type Granularity } from '../insights/model/draft.ts'
import { GRANULARITY_NUMBERS, granularityName, PRESET_CHOICES } from '../insights/period.ts'
import { clientOf } from '../rpc/client.ts'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { defaultPeriod } from './previous-answers.ts'

const dashboardsClient = clientOf(DashboardsService)

const GRANULARITY_CHOICES = (Object.keys(GRANULARITIES) as Granularity[]).map((value) => ({
  value,
  label: GRANULARITIES[value],
}))

interface DialogProps {
  readonly dashboard: RenderedDashboard
  readonly reload: () => Promise<unknown>
}

/** Opens the name and the default time range of a dashboard. */
export function SettingsButton(props: DialogProps): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Dashboard settings
      </button>
      <Show when={isOpen()}>
        <SettingsDialog {...props} onClose={() => setOpen(false)} />
      </Show>
    </>
  )
}

function SettingsDialog(props: DialogProps & { readonly onClose: () => void }): JSX.Element {
  const { id, displayName, description, defaultGranularity } = props.dashboard
  const period = defaultPeriod(props.dashboard)
  const [draft, setDraft] = createStore({
    displayName,
    description,
    range: period,
    granularity: granularityName(defaultGranularity),
  })
  const save = async (): Promise<void> => {
    await dashboardsClient.update({
      id,
      displayName: draft.displayName,
      description: draft.description,
      defaultTimeRange: TimeRangePreset[draft.range],
      defaultGranularity: GRANULARITY_NUMBERS[draft.granularity],
    })
    await props.reload()
    props.onClose()
  }
  return (
    <Drawer title="Dashboard settings" look="dialog" onClose={props.onClose}>
      <Form submit="Save settings" onSubmit={save}>
        {(problem) => (
          <>
            <TextField
              label="Name"
              required
              value={draft.displayName}
              problem={problem('displayName')}
              onInput={(text) => setDraft({ displayName: text })}
            />
            <TextField
              label="Description"
              value={draft.description}
              problem={problem('description')}
              onInput={(text) => setDraft({ description: text })}
            />
            <SelectField
              label="Default time range"
              value={draft.range}
              choices={PRESET_CHOICES}
              onChange={(range) => setDraft({ range })}
            />
            <SelectField
              label="By"
              value={draft.granularity}
              choices={GRANULARITY_CHOICES}
              onChange={(granularity) => setDraft({ granularity })}
            />
          </>
        )}
      </Form>
    </Drawer>
  )
}
