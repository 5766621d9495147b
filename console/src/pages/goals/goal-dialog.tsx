import type { PropertyKeyMeta } from '@contract/common/v1/filter_schema_pb.js'
import { PropertyValueType } from '@contract/common/v1/property_pb.js'
import { type Goal, GoalsService } from '@contract/millrace/web/v1/goals_service_pb.js'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import type { Source } from '../../picker/filter-draft.ts'
import { labelOfProperty } from '../../picker/names.ts'
import { clientOf } from '../../rpc/client.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Select } from '../../ui/combobox.tsx'
import { Input } from '../../ui/input.tsx'
import type { Option } from '../../ui/list-picker.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import '../settings/messages.ts'
import { conditionsOf, encodeGoal, type GoalDraft, isGoalComplete, NEW_GOAL, readGoal } from './goal-draft.ts'

const goalsClient = clientOf(GoalsService)
const activityClient = clientOf(ActivityService)

const PAGE_VIEW = 'page_view'

/** Creates a goal, or changes a stored one: an event or a page, and the property that holds its value. */
export function GoalDialog(props: {
  /** The goal to change; without it a new one is created. */
  readonly goal?: Goal | undefined
  readonly onClose: () => void
  readonly onSaved: () => void
}): JSX.Element {
  const known = props.goal
  const [draft, setDraft] = createSignal<GoalDraft>(known ? readGoal(known) : NEW_GOAL)
  const save = async (): Promise<void> => {
    const { onSaved, onClose } = props
    if (known) await goalsClient.update({ id: known.id, ...encodeGoal(draft()) })
    else await goalsClient.create(encodeGoal(draft()))
    onSaved()
    onClose()
  }
  return (
    <ActionDialog
      title={t(known ? 'settings.goalEdit' : 'overview.goalNew')}
      verb={t(known ? 'common.save' : 'common.create')}
      isBlocked={!isGoalComplete(draft())}
      onClose={() => props.onClose()}
      onAct={save}
    >
      <GoalFields draft={draft()} onChange={(part) => setDraft({ ...draft(), ...part })} />
    </ActionDialog>
  )
}

interface FieldsProps {
  readonly draft: GoalDraft
  readonly onChange: (part: Partial<GoalDraft>) => void
}

function GoalFields(props: FieldsProps): JSX.Element {
  return (
    <>
      <Input
        label={t('overview.goalName')}
        value={props.draft.name}
        maxLength={255}
        onInput={(name) => props.onChange({ name })}
      />
      <SegmentedControl
        label={t('overview.goalKind')}
        choices={[
          { value: 'event', label: t('overview.goalByEvent') },
          { value: 'page', label: t('overview.goalByPage') },
        ]}
        value={props.draft.kind}
        onChange={(kind) => props.onChange({ kind })}
      />
      <Show when={props.draft.kind === 'event'} fallback={<PageFields {...props} />}>
        <EventFields {...props} />
      </Show>
      <ValueField {...props} />
    </>
  )
}

function PageFields(props: FieldsProps): JSX.Element {
  return (
    <Input
      label={t('overview.goalPattern')}
      value={props.draft.pattern}
      placeholder="/checkout/*"
      maxLength={1024}
      onInput={(pattern) => props.onChange({ pattern })}
    />
  )
}

function EventFields(props: FieldsProps): JSX.Element {
  const workspace = useWorkspace()
  const schema = useQuery(() => ({
    queryKey: ['filter-schema', workspace().project.id],
    queryFn: async () => await activityClient.getFilterSchema({}),
  }))
  const options = (): readonly Option[] => {
    const events = schema.isSuccess ? schema.data.events : []
    const listed = events.map(({ name, count }) => ({ value: name, label: name, count: Number(count) }))
    return withValue(listed, props.draft.event)
  }
  const conditionCount = (): number => conditionsOf(props.draft).length
  return (
    <Select
      label={t('overview.goalEvent')}
      placeholder={t('settings.goalChooseEvent')}
      options={options()}
      value={props.draft.event === '' ? undefined : props.draft.event}
      {...(conditionCount() > 0 && { hint: t('settings.goalConditions', { count: conditionCount() }) })}
      onChange={(event) => props.onChange({ event })}
    />
  )
}

/** Only properties that hold numbers have a sum. */
function ValueField(props: FieldsProps): JSX.Element {
  const workspace = useWorkspace()
  const eventKind = (): string => (props.draft.kind === 'page' ? PAGE_VIEW : props.draft.event)
  const schema = useQuery(() => {
    const kind = eventKind()
    return {
      queryKey: ['number-properties', workspace().project.id, kind],
      queryFn: async () =>
        await activityClient.getFilterSchema({
          eventKind: kind,
          allowedTypes: [PropertyValueType.INTEGER, PropertyValueType.FLOAT],
        }),
    }
  })
  const options = (): readonly Option[] => {
    const { customPropertyKeys: custom = [], autoPropertyKeys: auto = [] } = schema.isSuccess
      ? schema.data
      : {}
    const optionsOf = (keys: readonly PropertyKeyMeta[], source: Source): readonly Option[] =>
      keys.map(({ name, count }) => ({
        value: name,
        label: labelOfProperty({ property: name, source }),
        count: Number(count),
      }))
    const listed = [
      ...optionsOf(custom, 'PROPERTY_SOURCE_CUSTOM'),
      ...optionsOf(auto, 'PROPERTY_SOURCE_AUTO'),
    ]
    return [{ value: '', label: t('settings.goalNoValue') }, ...withValue(listed, props.draft.valueProperty)]
  }
  return (
    <Select
      label={t('overview.goalProperty')}
      hint={t('settings.goalValueHint')}
      options={options()}
      value={props.draft.valueProperty}
      onChange={(valueProperty) => props.onChange({ valueProperty })}
    />
  )
}

/** A stored value stays a choice when the list does not have it any more. */
function withValue(options: readonly Option[], value: string): readonly Option[] {
  const isListed = value === '' || options.some((option) => option.value === value)
  return isListed ? options : [{ value, label: value }, ...options]
}
