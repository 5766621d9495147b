import { type Goal, GoalsService } from '@contract/millrace/web/v1/goals_service_pb.js'
import { useQuery, useQueryClient } from '@tanstack/solid-query'
import Pencil from 'lucide-solid/icons/pencil'
import Plus from 'lucide-solid/icons/plus'
import Target from 'lucide-solid/icons/target'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { createAction } from '../../ui/action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { showUndo } from '../../ui/toast.tsx'
import { GoalDialog } from '../goals/goal-dialog.tsx'
import { conditionsOf, encodeGoal, readGoal } from '../goals/goal-draft.ts'
import { Loaded } from './loaded.tsx'
import { RoleNote } from './role-note.tsx'

const goalsClient = clientOf(GoalsService)

/** The goals of the project: create, change, delete with Undo. */
export function GoalSettings(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const queries = useQueryClient()
  const change = createAction()
  const [edited, setEdited] = createSignal<Goal | 'new'>()
  const goals = useQuery(() => ({
    queryKey: ['goals', workspace().project.id],
    queryFn: async () => (await goalsClient.list({})).goals,
  }))
  const reread = async (): Promise<void> => {
    // The Overview counts goals in its tables.
    void queries.invalidateQueries({ queryKey: ['web-table', workspace().project.id] })
    await goals.refetch()
  }
  const restore = (goal: Goal): void =>
    change.run(async () => {
      await goalsClient.create(encodeGoal(readGoal(goal)))
      await reread()
    })
  const remove = (goal: Goal): void =>
    change.run(async () => {
      await goalsClient.delete({ id: goal.id })
      await reread()
      showUndo(t('overview.goalDeleted', { name: goal.name }), () => restore(goal))
    })
  const isEditor = (): boolean => may(GoalsService.method.create)
  return (
    <>
      <Card
        title={t('settings.goals')}
        padding="none"
        actions={
          <Show when={isEditor()}>
            <Button size="small" tone="primary" icon={<Plus />} onClick={() => setEdited('new')}>
              {t('overview.goalNew')}
            </Button>
          </Show>
        }
      >
        <Show when={change.failure()}>
          {(failure) => (
            <div class="settings-pad">
              <ErrorState title={t('ui.failed')} error={failure()} />
            </div>
          )}
        </Show>
        <Loaded query={goals}>
          {(list) => (
            <Show
              when={list().length > 0}
              fallback={
                <EmptyState icon={<Target />} title={t('settings.goalNone')} text={t('overview.goalNone')} />
              }
            >
              <Table
                label={t('settings.goals')}
                rows={list()}
                columns={goalColumns(isEditor() ? { onEdit: setEdited, onRemove: remove } : undefined)}
              />
            </Show>
          )}
        </Loaded>
        <Show when={!isEditor()}>
          <div class="settings-pad">
            <RoleNote />
          </div>
        </Show>
      </Card>
      <Show when={edited()} keyed>
        {(goal) => (
          <GoalDialog
            goal={goal === 'new' ? undefined : goal}
            onSaved={() => void reread()}
            onClose={() => setEdited(undefined)}
          />
        )}
      </Show>
    </>
  )
}

function Completion(props: { readonly goal: Goal }): JSX.Element {
  const draft = () => readGoal(props.goal)
  const conditionCount = (): number => conditionsOf(draft()).length
  return (
    <span class="settings-completion">
      <span class="settings-quiet">
        {t(draft().kind === 'page' ? 'settings.goalPage' : 'settings.goalEvent')}
      </span>
      <code>{draft().kind === 'page' ? draft().pattern : draft().event}</code>
      <Show when={conditionCount() > 0}>
        <span class="settings-quiet">+{conditionCount()}</span>
      </Show>
    </span>
  )
}

function goalColumns(
  change: { readonly onEdit: (goal: Goal) => void; readonly onRemove: (goal: Goal) => void } | undefined,
): readonly Column<Goal, string>[] {
  return [
    { key: 'name', title: t('common.name'), kind: 'wide', cell: ({ name }) => name },
    {
      key: 'target',
      title: t('settings.goalCompletedBy'),
      cell: (goal) => <Completion goal={goal} />,
    },
    {
      key: 'value',
      title: t('overview.goalValue'),
      cell: ({ valueProperty }) => (valueProperty === '' ? NO_VALUE : <code>{valueProperty}</code>),
    },
    ...(change
      ? [
          {
            key: 'change',
            title: '',
            cell: (goal: Goal) => (
              <span class="settings-actions">
                <IconButton
                  tone="ghost"
                  size="small"
                  name={t('settings.goalEditNamed', { name: goal.name })}
                  onClick={() => change.onEdit(goal)}
                >
                  <Pencil />
                </IconButton>
                <IconButton
                  tone="ghost"
                  size="small"
                  name={t('overview.goalDelete', { name: goal.name })}
                  onClick={() => change.onRemove(goal)}
                >
                  <Trash />
                </IconButton>
              </span>
            ),
          },
        ]
      : []),
  ]
}
