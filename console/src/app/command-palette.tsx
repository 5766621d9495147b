import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import CornerDownRight from 'lucide-solid/icons/corner-down-right'
import LayoutGrid from 'lucide-solid/icons/layout-grid'
import Search from 'lucide-solid/icons/search'
import User from 'lucide-solid/icons/user'
import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  type JSX,
  onCleanup,
  onMount,
  Show,
} from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { areSingleKeysOn } from '../context/keys.ts'
import { navigate } from '../context/router.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { Keys } from '../ui/badge.tsx'
import { type Command, findCommands } from './commands.ts'
import './layers.css'

const dashboardsClient = clientOf(DashboardsService)

const SHOWN_MAX = 40

/** Pages, insights, dashboards, settings, projects, people and actions by name. Arrow keys choose, Enter opens. */
export function CommandPalette(props: {
  /** Pages, projects and actions of the shell. */
  readonly commands: readonly Command[]
  readonly projectId: string
  readonly onClose: () => void
}): JSX.Element {
  const listId = createUniqueId()
  const [text, setText] = createSignal('')
  const [at, setAt] = createSignal(0)
  let dialog: HTMLDialogElement | undefined
  createEffect(() => dialog?.showModal())
  onCleanup(() => dialog?.close())
  const dashboards = useQuery(() => ({
    queryKey: ['dashboards', props.projectId],
    queryFn: async () => (await dashboardsClient.list({})).dashboards,
  }))
  // Their names and icons load with the palette, which works without them.
  const [ofProject, setOfProject] = createSignal<readonly Command[]>()
  onMount(() => {
    void import('./project-commands.ts').then(
      ({ listProjectCommands }) => setOfProject(listProjectCommands(props.projectId)),
      () => setOfProject([]),
    )
  })
  const found = createMemo(() => {
    // Only the pages of a list that was read: the palette works without it.
    const read = dashboards.isSuccess ? dashboards.data : []
    const ofDashboards = read.map(({ id, displayName }) => ({
      group: t('shell.dashboards'),
      label: displayName,
      icon: LayoutGrid,
      run: () => void navigate(`/p/${props.projectId}/dashboards/${id}`),
    }))
    const typed = text().trim()
    const person: readonly Command[] = [
      {
        group: t('shell.people'),
        label: t('shell.openPerson', { id: typed }),
        icon: User,
        run: () => void navigate(`/p/${props.projectId}/people/${encodeURIComponent(`user:${typed}`)}`),
      },
    ]
    if (typed === '') return findCommands([...props.commands, ...ofDashboards], '').slice(0, SHOWN_MAX)
    const all = [...props.commands, ...(ofProject() ?? []), ...ofDashboards]
    return [...findCommands(all, typed).slice(0, SHOWN_MAX), ...person]
  })
  const run = (command: Command | undefined): void => {
    if (!command) return
    props.onClose()
    command.run()
  }
  const press = (event: KeyboardEvent): void => {
    // Enter takes over the word that is being composed.
    if (event.isComposing) return
    const last = found().length - 1
    if (event.key === 'Enter') run(found()[at()])
    else if (event.key === 'ArrowDown') setAt(at() >= last ? 0 : at() + 1)
    else if (event.key === 'ArrowUp') setAt(at() <= 0 ? last : at() - 1)
    else return
    event.preventDefault()
    document.getElementById(`${listId}-${at()}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={t('shell.paletteTitle')}
      onClose={() => props.onClose()}
      onClick={(event) => {
        if (event.target === dialog) props.onClose()
      }}
      onKeyDown={() => undefined}
    >
      <div class="palette-field">
        <Search />
        <input
          role="combobox"
          aria-label={t('common.search')}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={found().length > 0 ? `${listId}-${at()}` : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={t('shell.palettePlaceholder')}
          value={text()}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
      </div>
      <div class="palette-list" role="listbox" id={listId} aria-label={t('shell.paletteTitle')}>
        <For each={found()}>
          {(command, index) => (
            <>
              <Show when={found()[index() - 1]?.group !== command.group}>
                <div class="palette-group" role="presentation">
                  {command.group}
                </div>
              </Show>
              {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the field */}
              <div
                id={`${listId}-${index()}`}
                class="palette-option"
                role="option"
                aria-selected={index() === at()}
                onClick={() => run(command)}
                onPointerMove={() => setAt(index())}
              >
                <Dynamic component={command.icon ?? CornerDownRight} />
                <span class="ui-ellipsis">{command.label}</span>
                <Show when={areSingleKeysOn() && command.keys}>
                  {(keys) => (
                    <span class="palette-keys" aria-hidden="true">
                      <Keys keys={keys().split(' ')} />
                    </span>
                  )}
                </Show>
              </div>
            </>
          )}
        </For>
      </div>
      <Show when={found().length === 0}>
        <p class="palette-empty">{t('shell.paletteEmpty', { text: text() })}</p>
      </Show>
      <p class="palette-hint">{t('shell.paletteHint')}</p>
    </dialog>
  )
}
