import { createClient } from '@connectrpc/connect'
import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { SavedInsightsService } from '@contract/millrace/library/v1/saved_insights_service_pb.js'
import { createSignal } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { writeFailure } from '../rpc/failure-text.ts'
import { beforeSignOut } from '../rpc/session.ts'
import { createTransport } from '../rpc/transport.ts'
import { showToast, showUndo } from '../ui/toast.tsx'
import { refreshSaved } from './saved-insights.ts'

// The user may be about to close the tab, where only such a call goes through.
const client = createClient(
  SavedInsightsService,
  createTransport(async (input, init) => await fetch(input, { ...init, keepalive: true })),
)

/** Insights that lists leave out, although they exist until their message is gone. */
const [deleted, setDeleted] = createSignal<ReadonlySet<string>>(new Set())

/** Whether a saved insight is still there for the user: it was not deleted in this tab. */
export function isKept({ id }: SavedInsight): boolean {
  return !deleted().has(id)
}

/**
 * Takes a saved insight off the lists at once, and deletes it when its message is gone or the session or the page ends: until
 * then, Undo keeps it with its versions, which a new insight with the same content would not have.
 */
export function deleteLater({ id, content }: SavedInsight, projectId: string): void {
  let isPending = true
  const hide = (isHidden: boolean): void =>
    void setDeleted((ids) => new Set([...ids].filter((one) => one !== id).concat(isHidden ? id : [])))
  /** Whether the insight was neither deleted nor kept before. */
  const settle = (): boolean => {
    globalThis.removeEventListener('pagehide', leave)
    beforeSignOut.delete(remove)
    const wasPending = isPending
    isPending = false
    return wasPending
  }
  const remove = async (): Promise<void> => {
    if (!settle()) return
    try {
      // By then, the user may have switched to another project.
      await client.delete({ id }, { headers: { 'x-project-id': projectId } })
    } catch (thrown) {
      hide(false)
      showToast({ tone: 'bad', text: `${t('ui.failed')}: ${await writeFailure(thrown)}` })
    }
    await refreshSaved(projectId)
  }
  const leave = (): void => void remove()
  const undo = (): void => {
    if (settle()) hide(false)
  }
  hide(true)
  globalThis.addEventListener('pagehide', leave)
  beforeSignOut.add(remove)
  showUndo(t('library.deleted', { name: content?.name ?? '' }), undo, leave)
}
