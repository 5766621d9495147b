import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { CohortsService } from '@contract/millrace/cohorts/v1/cohorts_service_pb.js'
import { useQueryClient } from '@tanstack/solid-query'
import Copy from 'lucide-solid/icons/copy'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX, Show } from 'solid-js'
import { cohortsClient, cohortsKey } from '../../cohorts/cohort-list.ts'
import { navigate } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { writeFailure } from '../../rpc/failure-text.ts'
import { createAction } from '../../ui/action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { cohortHref, cohortsHref } from './cohort-address.ts'
import { type Place, PlaceList } from './used-by-card.tsx'

/** Most characters of a name. */
const NAME_MAX = 255

/** The actions on a stored cohort beside saving it. */
export function CohortActions(props: {
  readonly cohort: Cohort
  /** The pages that use it, without which it cannot be deleted. */
  readonly places: readonly Place[]
  /** Called before the list opens. */
  readonly onDeleted: () => void
}): JSX.Element {
  const may = useMay()
  return (
    <>
      <Show when={may(CohortsService.method.create)}>
        <DuplicateButton cohort={props.cohort} />
      </Show>
      <Show when={may(CohortsService.method.delete)}>
        <DeleteButton {...props} />
      </Show>
    </>
  )
}

/** Opens a copy of a cohort with conditions; the IDs of a list are not in its message. */
function DuplicateButton(props: { readonly cohort: Cohort }): JSX.Element {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const action = createAction()
  const duplicate = async (): Promise<void> => {
    const { name, description, content } = props.cohort
    if (content.case !== 'definition') return
    const projectId = workspace().project.id
    try {
      const copied = t('cohorts.copyOf', { name }).slice(0, NAME_MAX)
      const { cohort } = await cohortsClient.create({ name: copied, description, content })
      void queries.invalidateQueries({ queryKey: cohortsKey(projectId) })
      if (cohort) navigate(cohortHref(projectId, cohort.id))
    } catch (error) {
      showToast({ text: await writeFailure(error), tone: 'bad' })
    }
  }
  return (
    <Show when={props.cohort.content.case === 'definition'}>
      <Button
        class="icon-on-phones"
        icon={<Copy />}
        isLoading={action.isRunning()}
        onClick={() => action.run(duplicate)}
      >
        {t('cohorts.duplicate')}
      </Button>
    </Show>
  )
}

/** Asks before a cohort is deleted; one that is in use shows where. */
function DeleteButton(props: Parameters<typeof CohortActions>[0]): JSX.Element {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const [isOpen, setOpen] = createSignal(false)
  const isUsed = (): boolean => props.places.length > 0
  const remove = async (): Promise<void> => {
    const { cohort, onDeleted } = props
    await cohortsClient.delete({ id: cohort.id })
    const projectId = workspace().project.id
    void queries.invalidateQueries({ queryKey: cohortsKey(projectId) })
    onDeleted()
    navigate(cohortsHref(projectId))
  }
  return (
    <>
      <IconButton name={t('cohorts.delete')} onClick={() => setOpen(true)}>
        <Trash />
      </IconButton>
      <ConfirmDialog
        title={t('cohorts.delete')}
        text={t('cohorts.deleteText')}
        verb={t('cohorts.delete')}
        isOpen={isOpen() && !isUsed()}
        onClose={() => setOpen(false)}
        onConfirm={remove}
      />
      <Dialog
        title={t('cohorts.inUse')}
        isOpen={isOpen() && isUsed()}
        onClose={() => setOpen(false)}
        foot={<Button onClick={() => setOpen(false)}>{t('common.close')}</Button>}
      >
        <p class="ui-dialog-text">{t('cohorts.inUseText')}</p>
        <PlaceList places={props.places} />
      </Dialog>
    </>
  )
}
