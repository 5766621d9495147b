import { timestampMs } from '@bufbuild/protobuf/wkt'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { toTimeRange } from '../../insights/period.ts'
import { eventIdOf } from '../../people/read-person.ts'
import { autoText } from '../../people/visits.ts'
import { clientOf } from '../../rpc/client.ts'
import { Card } from '../../ui/card.tsx'

const activityClient = clientOf(ActivityService)

/** Long enough for the first page view of the first visit. */
const FIRST_VISIT_MS = 30 * 60_000
const EVENTS_MAX = 200

/** The source and the entry page of the first visit. */
export function FirstVisitCard(props: { readonly profile: Profile }): JSX.Element {
  const workspace = useWorkspace()
  const firstMs = (): number | undefined => {
    const first = props.profile.activity?.firstSeen
    return first && timestampMs(first)
  }
  const visit = useQuery(() => ({
    queryKey: ['first-visit', workspace().project.id, eventIdOf(props.profile), firstMs()],
    queryFn: async () => await readFirstVisit(eventIdOf(props.profile), firstMs() ?? 0),
    enabled: firstMs() !== undefined,
  }))
  const facts = () => (visit.isSuccess ? visit.data : [])
  return (
    <Show when={facts().length > 0}>
      <Card title={t('people.firstVisit')}>
        <dl class="people-facts">
          <For each={facts()}>
            {([key, text]) => (
              <div>
                <dt>{t(key)}</dt>
                <dd>
                  <span>{text}</span>
                </dd>
              </div>
            )}
          </For>
        </dl>
      </Card>
    </Show>
  )
}

type FactName = 'people.source' | 'people.referrer' | 'people.landingPage'

async function readFirstVisit(
  distinctId: string,
  firstMs: number,
): Promise<readonly (readonly [FactName, string])[]> {
  const { events } = await activityClient.getActivityFeed({
    distinctId,
    pageSize: EVENTS_MAX,
    timeRange: toTimeRange({ fromMs: firstMs, toMs: firstMs + FIRST_VISIT_MS }),
  })
  const first = events.at(-1)
  if (!first) return []
  const landing = events.findLast(({ kind }) => kind === 'page_view') ?? first
  const facts = [
    ['people.source', autoText(first, '$channel')],
    ['people.referrer', autoText(first, '$referrerDomain')],
    ['people.landingPage', autoText(landing, '$pathname') || autoText(landing, '$url')],
  ] as const
  return facts.filter(([, text]) => text !== '')
}
