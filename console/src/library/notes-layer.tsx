import { createSignal, type JSX, Show, Suspense } from 'solid-js'
import { type ChartNote, ChartNotesProvider } from '../context/chart-notes.ts'
import { lazy } from '../ui/lazy.ts'

const NotesKeeper = lazy(async () => ({ default: (await import('./notes-keeper.tsx')).NotesKeeper }))

/** Without a sign of a person, such as on a wall, annotations come after this time. */
const ALONE_MS = 10_000

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const

/** Runs once a person moves: the first view of a page is without annotations, so that it loads fast. */
function afterFirstView(work: () => void): void {
  const controller = new AbortController()
  const { signal } = controller
  const run = (): void => {
    if (signal.aborted) return
    controller.abort()
    work()
  }
  for (const sign of SIGNS) addEventListener(sign, run, { signal, passive: true })
  setTimeout(run, ALONE_MS)
}

/** A note that is being written: a new one at a time, or one that exists. */
export type EditedNote = { readonly timeMs: number } | { readonly note: ChartNote }

/** Gives the charts inside it the annotations of the project, and of a dashboard. They are read once a chart is there. */
export function NotesLayer(props: {
  readonly dashboardId?: string
  readonly children: JSX.Element
}): JSX.Element {
  const [isNeeded, setNeeded] = createSignal(false)
  const [notes, setNotes] = createSignal<readonly ChartNote[]>([])
  const [mayAdd, setMayAdd] = createSignal(false)
  const [edited, setEdited] = createSignal<EditedNote>()
  const value = {
    need: () => afterFirstView(() => setNeeded(true)),
    notes,
    add: () => (mayAdd() ? (timeMs: number) => void setEdited({ timeMs }) : undefined),
    open: (note: ChartNote) => {
      if (mayAdd()) setEdited({ note })
    },
  }
  return (
    <ChartNotesProvider value={value}>
      {props.children}
      <Show when={isNeeded()}>
        <Suspense>
          <NotesKeeper
            dashboardId={props.dashboardId ?? ''}
            edited={edited()}
            onNotes={setNotes}
            onMayAdd={setMayAdd}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      </Show>
    </ChartNotesProvider>
  )
}
