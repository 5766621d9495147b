import { create } from '@bufbuild/protobuf'
import {
  type DashboardTileInput,
  DashboardTileInputSchema,
  InsightTileContentSchema,
} from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { useQuery } from '@tanstack/solid-query'
import Plus from 'lucide-solid/icons/plus'
import { For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { isKept } from '../library/delete-later.ts'
import '../library/messages.ts'
import { savedInsightsClient, savedInsightsKey } from '../library/saved-insights.ts'

/** The insights that the panel lists; a search finds the others. */
const SHOWN_MAX = 20

/** A tile that follows a saved insight, with its view and its comparison. */
function tileOfSaved({ id, content }: SavedInsight): DashboardTileInput {
  const isCompared = content?.compareTo?.with.case === 'previousPeriod'
  return create(DashboardTileInputSchema, {
    displayName: content?.name ?? '',
    content: {
      case: 'insight',
      value: create(InsightTileContentSchema, {
        savedInsightId: id,
        ...(content?.spec && { spec: content.spec }),
      }),
    },
    ...(content && { viewMode: content.viewMode }),
    compare: isCompared ? ComparePeriod.PRIOR : ComparePeriod.UNSPECIFIED,
  })
}

/** The saved insights whose name has a text; nothing when there are none. */
export function SavedChoices(props: {
  readonly text: string
  readonly onAdd: (tile: DashboardTileInput) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const found = useQuery(() => ({
    queryKey: [...savedInsightsKey(workspace().project.id), 'choices', props.text],
    queryFn: async ({ signal }) => {
      const request = { search: props.text, pageSize: SHOWN_MAX }
      return (await savedInsightsClient.list(request, { signal })).insights
    },
    structuralSharing: false,
  }))
  const insights = (): readonly SavedInsight[] => (found.isSuccess ? unwrap(found.data) : []).filter(isKept)
  return (
    <Show when={insights().length > 0}>
      <h3 class="add-tile-hint">{t('library.savedInsights')}</h3>
      <ul class="add-tile-list" aria-label={t('library.savedInsights')}>
        <For each={insights()}>
          {(insight) => (
            <li>
              <button type="button" class="add-tile-row" onClick={() => props.onAdd(tileOfSaved(insight))}>
                <span class="ui-ellipsis">{insight.content?.name}</span>
                <Plus />
              </button>
            </li>
          )}
        </For>
      </ul>
    </Show>
  )
}
