import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { InsightVersion, SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { SavedInsightsService } from '@contract/millrace/library/v1/saved_insights_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { formatShortMoment } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { decodeSpec, titleOf } from '../insights/spec.ts'
import { createAction } from '../ui/action.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Drawer } from '../ui/drawer-panel.tsx'
import { ErrorState, SkeletonLines } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import './library.css'
import { createMemberNames } from './member-names.ts'
import './messages.ts'
import { refreshSaved, savedInsightsClient, savedInsightsKey } from './saved-insights.ts'

/** The versions of a saved insight, each of which can come back. */
export function VersionsDrawer(props: {
  readonly id: string
  readonly version: number
  readonly onRestored: (insight: SavedInsight) => void
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const versions = useQuery(() => ({
    queryKey: [...savedInsightsKey(workspace().project.id), 'versions', props.id, props.version],
    queryFn: async () => (await savedInsightsClient.listVersions({ id: props.id })).versions,
    structuralSharing: false,
  }))
  const nameOf = createMemberNames(() =>
    versions.isSuccess ? unwrap(versions.data).map(({ createdBy }) => createdBy) : [],
  )
  const restore = async ({ version }: InsightVersion): Promise<void> => {
    const { insight } = await savedInsightsClient.restore({ id: props.id, version })
    void refreshSaved(workspace().project.id)
    showToast({ text: t('library.restored', { version }), tone: 'good' })
    if (insight) props.onRestored(insight)
  }
  const line = ({ createTime, createdBy }: InsightVersion): string => {
    const time = createTime ? formatShortMoment(timestampMs(createTime), workspace().timeZone) : ''
    return [time, nameOf(createdBy)].filter((part) => part !== '').join(', ')
  }
  return (
    <Drawer title={t('library.versions')} isOpen onClose={props.onClose}>
      <Show when={action.failure() ?? (versions.isError && versions.error)}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <Show when={versions.isSuccess && versions.data} fallback={<SkeletonLines count={6} heightPx={28} />}>
        {(list) => (
          <ol class="library-versions">
            <For each={unwrap(list())}>
              {(version, at) => (
                <li>
                  <div class="library-version-words">
                    <strong class="ui-ellipsis">{version.content?.name}</strong>
                    <Show when={version.content?.spec}>
                      {(spec) => <span class="ui-ellipsis">{titleOf(decodeSpec(spec()))}</span>}
                    </Show>
                    <span class="library-quiet">
                      {t('library.version', { number: version.version })}, {line(version)}
                    </span>
                  </div>
                  <Show when={at() > 0} fallback={<Badge tone="accent">{t('library.current')}</Badge>}>
                    <Show when={may(SavedInsightsService.method.restore)}>
                      <Button
                        size="small"
                        isLoading={action.isRunning()}
                        onClick={() => action.run(async () => await restore(version))}
                      >
                        {t('library.restore')}
                      </Button>
                    </Show>
                  </Show>
                </li>
              )}
            </For>
          </ol>
        )}
      </Show>
    </Drawer>
  )
}
