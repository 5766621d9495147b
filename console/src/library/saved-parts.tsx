import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import Copy from 'lucide-solid/icons/copy'
import Pencil from 'lucide-solid/icons/pencil'
import RotateCcw from 'lucide-solid/icons/rotate-ccw'
import Trash from 'lucide-solid/icons/trash'
import { type JSX, Show, Suspense } from 'solid-js'
import { navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { lazy } from '../ui/lazy.ts'
import type { MenuEntry } from '../ui/menu.tsx'
import { ErrorState } from '../ui/states.tsx'
import './messages.ts'
import type { SavedControls } from './saved-controls.ts'

const SaveInsightDialog = lazy(async () => ({
  default: (await import('./save-insight.tsx')).SaveInsightDialog,
}))
const VersionsDrawer = lazy(async () => ({ default: (await import('./versions-drawer.tsx')).VersionsDrawer }))
const DeleteInsight = lazy(async () => ({ default: (await import('./delete-insight.tsx')).DeleteInsight }))

/** Whether the query of the builder is saved as it is. */
export function SavedBadge(props: { readonly saved: SavedControls }): JSX.Element {
  return (
    <Show
      when={props.saved.insight()}
      fallback={
        <span data-tip={t('insights.draftMeaning')}>
          <Badge>{t('insights.draft')}</Badge>
        </span>
      }
    >
      <Badge tone={props.saved.hasChanges() ? 'warn' : 'good'}>
        {t(props.saved.hasChanges() ? 'library.unsaved' : 'library.savedState')}
      </Badge>
    </Show>
  )
}

/** Saves the query of the builder. */
export function SaveButton(props: { readonly saved: SavedControls }): JSX.Element {
  return (
    <Show when={props.saved.maySave()}>
      <Button
        tone="primary"
        isLoading={props.saved.isRunning()}
        isDisabled={props.saved.isBlocked()}
        onClick={() => props.saved.save()}
      >
        {t('common.save')}
      </Button>
    </Show>
  )
}

/** The entries of a menu about a saved insight; none for a query that is not saved. */
export function savedEntries(saved: SavedControls): readonly MenuEntry[] {
  if (!saved.insight()) return []
  const versions: MenuEntry = {
    label: t('library.versions'),
    icon: () => <RotateCcw />,
    onSelect: () => saved.show('versions'),
  }
  if (!saved.maySave()) return [versions]
  return [
    { label: t('library.editDetails'), icon: () => <Pencil />, onSelect: () => saved.show('details') },
    versions,
    { label: t('library.duplicate'), icon: () => <Copy />, onSelect: () => saved.duplicate() },
    { label: t('common.delete'), icon: () => <Trash />, onSelect: () => saved.show('delete') },
  ]
}

/** The dialogs and the drawer of a saved insight, and the reason why it could not be saved. */
export function SavedLayers(props: { readonly saved: SavedControls }): JSX.Element {
  const isNamed = (): boolean =>
    props.saved.layer() === 'save' || (props.saved.layer() === 'details' && !!props.saved.insight())
  return (
    <Suspense>
      <Show when={props.saved.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <Show when={isNamed()}>
        <SaveInsightDialog
          id={props.saved.layer() === 'details' ? props.saved.insight()?.id : undefined}
          texts={props.saved.texts()}
          contentWith={props.saved.contentWith}
          onSaved={props.saved.reopen}
          onClose={() => props.saved.show(undefined)}
        />
      </Show>
      <Show when={props.saved.insight()}>{(insight) => <LayersOf {...props} insight={insight()} />}</Show>
    </Suspense>
  )
}

function LayersOf(props: { readonly saved: SavedControls; readonly insight: SavedInsight }): JSX.Element {
  const workspace = useWorkspace()
  const close = (): void => props.saved.show(undefined)
  return (
    <>
      <Show when={props.saved.layer() === 'versions'}>
        <VersionsDrawer
          id={props.insight.id}
          version={props.insight.version}
          onRestored={props.saved.reopen}
          onClose={close}
        />
      </Show>
      <Show when={props.saved.layer() === 'delete'}>
        <DeleteInsight
          insight={props.insight}
          onDeleted={() => navigate(`/p/${workspace().project.id}/insights`)}
          onClose={close}
        />
      </Show>
    </>
  )
}
