import { timestampMs } from '@bufbuild/protobuf/wkt'
import { type Annotation, AnnotationsService } from '@contract/millrace/library/v1/annotations_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createEffect, type JSX, Show, Suspense } from 'solid-js'
import { unwrap } from 'solid-js/store'
import type { ChartNote } from '../context/chart-notes.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { lazy } from '../ui/lazy.ts'
import { annotationsClient, annotationsKey } from './annotations.ts'
import { createMemberNames } from './member-names.ts'
import type { EditedNote } from './notes-layer.tsx'

const NoteDialog = lazy(async () => ({ default: (await import('./note-dialog.tsx')).NoteDialog }))

/** The latest annotations are drawn; a page of the service has no more. */
const NOTES_MAX = 1000

/** Reads the annotations of a page, and shows the dialog of the one that is edited. */
export function NotesKeeper(props: {
  readonly dashboardId: string
  readonly edited: EditedNote | undefined
  readonly onNotes: (notes: readonly ChartNote[]) => void
  readonly onMayAdd: (mayAdd: boolean) => void
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const list = useQuery(() => ({
    queryKey: [...annotationsKey(workspace().project.id), props.dashboardId],
    queryFn: async () => {
      const { dashboardId } = props
      return (await annotationsClient.list({ dashboardId, pageSize: NOTES_MAX })).annotations
    },
    structuralSharing: false,
  }))
  const notes = (): readonly Annotation[] => (list.isSuccess ? unwrap(list.data) : [])
  const nameOf = createMemberNames(() => notes().map(({ createdBy }) => createdBy))
  createEffect(() => props.onMayAdd(may(AnnotationsService.method.create)))
  createEffect(() => {
    props.onNotes(
      notes().map(({ id, time, text, createdBy, dashboardId }) => ({
        id,
        timeMs: time ? timestampMs(time) : 0,
        title: text,
        author: nameOf(createdBy),
        dashboardId,
      })),
    )
  })
  return (
    <Show when={props.edited} keyed>
      {(edited) => (
        <Suspense>
          <NoteDialog edited={edited} dashboardId={props.dashboardId} onClose={props.onClose} />
        </Suspense>
      )}
    </Show>
  )
}
