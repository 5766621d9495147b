import { create } from '@bufbuild/protobuf'
import {
  type DashboardTileInput,
  DashboardTileInputSchema,
  MarkdownTileContentSchema,
} from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import ChartLine from 'lucide-solid/icons/chart-line'
import Plus from 'lucide-solid/icons/plus'
import Type from 'lucide-solid/icons/type'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { createAction } from '../ui/action.ts'
import { ActionDialog } from '../ui/action-dialog.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Drawer } from '../ui/drawer-panel.tsx'
import { SearchInput, TextArea } from '../ui/input.tsx'
import { matchNames } from '../ui/match-names.ts'
import { ErrorState, SkeletonLines } from '../ui/states.tsx'
import { useProjectEvents } from './project-events.ts'
import { SavedChoices } from './saved-choices.tsx'
import { overviewInsights } from './templates.ts'
import { type Insight, type ProjectEvents, tileOf } from './tile-kit.ts'

function insightsOf(events: ProjectEvents | undefined): readonly Insight[] {
  return events ? overviewInsights(events) : []
}

/** The choices for the next tile: a new insight, a text, or one of the insights that most projects want. */
export function AddTilePanel(props: {
  readonly onAdd: (tile: DashboardTileInput) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const [isWriting, setWriting] = createSignal(false)
  return (
    <>
      <Drawer title={t('dashboards.addTile')} isOpen onClose={props.onClose}>
        <PanelContent onAdd={props.onAdd} onWrite={() => setWriting(true)} />
      </Drawer>
      <Show when={isWriting()}>
        <TextDialog onAdd={props.onAdd} onClose={() => setWriting(false)} />
      </Show>
    </>
  )
}

function PanelContent(props: {
  readonly onAdd: (tile: DashboardTileInput) => Promise<void>
  readonly onWrite: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const events = useProjectEvents()
  const [text, setText] = createSignal('')
  const action = createAction()
  const offered = createMemo(() =>
    matchNames(
      insightsOf(events()).map((made) => ({ made, label: t(made.title) })),
      text(),
    ),
  )
  return (
    <div class="add-tile">
      <div class="add-tile-own">
        <ButtonLink icon={<ChartLine />} href={`/p/${workspace().project.id}/insights`}>
          {t('dashboards.newInsight')}
        </ButtonLink>
        <Button icon={<Type />} onClick={() => props.onWrite()}>
          {t('dashboards.text')}
        </Button>
      </div>
      <p class="add-tile-hint">{t('dashboards.newInsightHint')}</p>
      <SearchInput
        label={t('dashboards.searchTiles')}
        placeholder={t('dashboards.searchTiles')}
        value={text()}
        onInput={setText}
      />
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <SavedChoices text={text()} onAdd={(tile) => action.run(async () => await props.onAdd(tile))} />
      <Show when={events()} fallback={<SkeletonLines count={6} heightPx={28} />}>
        {(known) => (
          <ul class="add-tile-list" aria-label={t('dashboards.readyMade')}>
            <For each={offered()} fallback={<li>{t('ui.noMatch', { text: text() })}</li>}>
              {({ entry: { made, label } }) => (
                <li>
                  <button
                    type="button"
                    class="add-tile-row"
                    onClick={() =>
                      action.run(async () => {
                        const { excludeBots } = known()
                        await props.onAdd(tileOf(made, { titleOf: (title) => t(title), excludeBots }))
                      })
                    }
                  >
                    <span class="ui-ellipsis">{label}</span>
                    <Plus />
                  </button>
                </li>
              )}
            </For>
          </ul>
        )}
      </Show>
    </div>
  )
}

function TextDialog(props: {
  readonly onAdd: (tile: DashboardTileInput) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const [body, setBody] = createSignal('')
  const add = async (): Promise<void> => {
    const value = create(MarkdownTileContentSchema, { body: body() })
    await props.onAdd(create(DashboardTileInputSchema, { content: { case: 'markdown', value } }))
    props.onClose()
  }
  return (
    <ActionDialog
      title={t('dashboards.addText')}
      verb={t('common.add')}
      isBlocked={body().trim() === ''}
      onClose={props.onClose}
      onAct={add}
    >
      <TextArea
        label={t('dashboards.markdown')}
        hint={t('dashboards.markdownHint')}
        rows={8}
        value={body()}
        onInput={setBody}
      />
    </ActionDialog>
  )
}
