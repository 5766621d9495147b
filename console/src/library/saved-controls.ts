import type { InsightContent, SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { SavedInsightsService } from '@contract/millrace/library/v1/saved_insights_service_pb.js'
import { createEffect, createMemo, createSignal } from 'solid-js'
import { navigate, replaceParameters } from '../context/router.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import type { InsightEditor } from '../insights/insight-editor.ts'
import { isNotFound } from '../rpc/failure.ts'
import { createAction } from '../ui/action.ts'
import { showToast } from '../ui/toast.tsx'
import './messages.ts'
import { openSaved } from './open-saved.tsx'
import { contentOf, isSameContent, type SavedTexts } from './saved-address.ts'
import {
  refreshSaved,
  savedHref,
  savedInsightsClient,
  saveInsight,
  useSavedInsight,
} from './saved-insights.ts'

/** What is open above the builder. */
export type SavedLayer = 'save' | 'details' | 'versions' | 'delete'

/** The saved insight of the builder: its state, and what can be done with it. */
export interface SavedControls {
  /** Nothing for a query that is not saved. */
  readonly insight: () => SavedInsight | undefined
  readonly hasChanges: () => boolean
  readonly maySave: () => boolean
  /** Whether there is nothing that could be saved now. */
  readonly isBlocked: () => boolean
  readonly texts: () => SavedTexts
  readonly contentWith: (texts: SavedTexts) => InsightContent
  readonly save: () => void
  readonly duplicate: () => void
  /** Shows an insight as it is stored now. */
  readonly reopen: (insight: SavedInsight) => void
  readonly isRunning: () => boolean
  readonly failure: () => unknown
  readonly layer: () => SavedLayer | undefined
  readonly show: (layer: SavedLayer | undefined) => void
}

/** Connects the builder with the insight that its address names. */
export function createSavedControls(editor: InsightEditor): SavedControls {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const [layer, show] = createSignal<SavedLayer>()
  const stored = useSavedInsight(editor.saved)
  const insight = (): SavedInsight | undefined =>
    editor.saved() === undefined ? undefined : stored.insight()
  // The query of the address is the reader's to save, under another id.
  createEffect(() => {
    if (!isNotFound(stored.failure())) return
    showToast({ text: t('library.gone'), tone: 'bad', duration: 'long' })
    replaceParameters({ saved: '' })
  })
  const projectId = (): string => workspace().project.id
  const contentWith = (texts: SavedTexts): InsightContent =>
    contentOf({ ...editor.query(), view: editor.view(), rate: editor.state().rate }, texts, editor.now())
  const texts = (): SavedTexts => {
    const { description = '', tags = [] } = insight()?.content ?? {}
    return { name: editor.title(), description, tags }
  }
  const hasChanges = createMemo((): boolean => {
    const content = insight()?.content
    return content !== undefined && !isSameContent(content, contentWith(texts()), editor.now())
  })
  const reopen = (changed: SavedInsight): void =>
    openSaved(changed, { projectId: projectId(), now: editor.now() })
  const maySave = (): boolean => may(SavedInsightsService.method.update)
  const isBlocked = (): boolean =>
    editor.missing() !== undefined || (editor.saved() !== undefined && !hasChanges())
  const store = async ({ id }: SavedInsight): Promise<void> => {
    const changed = await saveInsight(id, contentWith(texts()))
    await refreshSaved(projectId())
    showToast({ text: t('library.saved', { name: texts().name }), tone: 'good' })
    if (changed) reopen(changed)
  }
  const copy = async ({ id }: SavedInsight): Promise<void> => {
    const name = t('library.copyName', { name: texts().name })
    const { insight: made } = await savedInsightsClient.duplicate({ id, name })
    void refreshSaved(projectId())
    if (made) navigate(savedHref(projectId(), made.id))
  }
  const run = (work: (known: SavedInsight) => Promise<void>): void => {
    const known = insight()
    if (known) action.run(async () => await work(known))
  }
  return {
    insight,
    hasChanges,
    maySave,
    isBlocked,
    texts,
    contentWith,
    save: () => {
      if (!maySave() || isBlocked()) return
      if (insight()) run(store)
      else show('save')
    },
    duplicate: () => run(copy),
    reopen,
    isRunning: action.isRunning,
    failure: () => action.failure() ?? stored.failure(),
    layer,
    show,
  }
}
