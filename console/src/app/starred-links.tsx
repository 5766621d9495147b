import LineChart from 'lucide-solid/icons/chart-line'
import LayoutGrid from 'lucide-solid/icons/layout-grid'
import { For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { currentLocation } from '../context/router.ts'
import { readStarred, type Starred } from '../context/starred.ts'
import { t } from '../i18n/translate.ts'

const ICONS = { dashboard: LayoutGrid, insight: LineChart } as const satisfies Record<
  Starred['kind'],
  typeof LayoutGrid
>

/** The pages that the person starred in the project. */
export function StarredLinks(props: { readonly projectId: string; readonly isFolded: boolean }): JSX.Element {
  const starred = () => readStarred(props.projectId)
  return (
    <Show when={starred().length > 0}>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of links is no fieldset */}
      <div class="side-starred" role="group" aria-label={t('shell.starred')}>
        <p class="side-group side-label" aria-hidden="true">
          {t('shell.starred')}
        </p>
        <For each={starred()}>
          {({ path, name, kind }) => (
            <a
              class="section-link"
              href={`/p/${props.projectId}/${path}`}
              data-tip={props.isFolded ? name : undefined}
              aria-current={currentLocation().path === `/p/${props.projectId}/${path}` ? 'page' : undefined}
            >
              <Dynamic component={ICONS[kind]} />
              <span class="side-label ui-ellipsis">{name}</span>
            </a>
          )}
        </For>
      </div>
    </Show>
  )
}
