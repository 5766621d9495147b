import { GoalsService } from '@contract/millrace/web/v1/goals_service_pb.js'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { ErrorState } from '../../ui/states.tsx'

const goalsClient = clientOf(GoalsService)
const activityClient = clientOf(ActivityService)

/** Creates a goal: an event or a page, and the property that holds its value. */
export function GoalDialog(props: {
  readonly onClose: () => void
  readonly onCreated: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const action = createAction()
  const [name, setName] = createSignal('')
  const [kind, setKind] = createSignal<'event' | 'page'>('event')
  const [event, setEvent] = createSignal<string>()
  const [pattern, setPattern] = createSignal('')
  const [property, setProperty] = createSignal('')
  const schema = useQuery(() => ({
    queryKey: ['filter-schema', workspace().project.id],
    queryFn: async () => await activityClient.getFilterSchema({}),
  }))
  const events = () => (schema.isSuccess ? schema.data.events.map(({ name }) => name) : [])
  const target = () => {
    if (kind() === 'page') return { case: 'pagePattern', value: pattern().trim() } as const
    return { case: 'event', value: { kind: event() ?? '' } } as const
  }
  const isComplete = (): boolean =>
    name().trim() !== '' && (kind() === 'page' ? pattern().trim() !== '' : event() !== undefined)
  const save = (): void =>
    action.run(async () => {
      await goalsClient.create({ name: name().trim(), target: target(), valueProperty: property().trim() })
      props.onCreated()
      props.onClose()
    })
  return (
    <Dialog
      title={t('overview.goalNew')}
      isOpen={true}
      onClose={props.onClose}
      foot={
        <>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button tone="primary" isDisabled={!isComplete()} isLoading={action.isRunning()} onClick={save}>
            {t('common.create')}
          </Button>
        </>
      }
    >
      <div class="goal-form">
        <Input label={t('overview.goalName')} value={name()} maxLength={100} onInput={setName} />
        <SegmentedControl
          label={t('overview.goalKind')}
          choices={[
            { value: 'event', label: t('overview.goalByEvent') },
            { value: 'page', label: t('overview.goalByPage') },
          ]}
          value={kind()}
          onChange={setKind}
        />
        <Show
          when={kind() === 'event'}
          fallback={
            <Input
              label={t('overview.goalPattern')}
              value={pattern()}
              placeholder="/checkout/*"
              onInput={setPattern}
            />
          }
        >
          <Select
            label={t('overview.goalEvent')}
            options={events().map((value) => ({ value, label: value }))}
            value={event()}
            onChange={setEvent}
          />
        </Show>
        <Input
          label={t('overview.goalProperty')}
          value={property()}
          placeholder="price"
          onInput={setProperty}
        />
        <Show when={action.failure()}>
          {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
        </Show>
      </div>
    </Dialog>
  )
}
