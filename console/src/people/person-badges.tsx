import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import UserCheck from 'lucide-solid/icons/user-check'
import { type JSX, Show } from 'solid-js'
import { createClock } from '../context/clock.ts'
import { t } from '../i18n/translate.ts'
import { Badge } from '../ui/badge.tsx'
import { LiveDot } from '../ui/spinner.tsx'

/** A person with an event in this time is online, as in the web overview. */
const ONLINE_MS = 5 * 60_000

/** Whether the last event of a person is so recent that they are online. */
export function isOnline({ activity }: Pick<Profile, 'activity'>, nowMs: number): boolean {
  return activity?.lastSeen !== undefined && Math.abs(nowMs - timestampMs(activity.lastSeen)) <= ONLINE_MS
}

/** Whether a person is identified, and whether they are online. */
export function PersonBadges(props: { readonly profile: Profile }): JSX.Element {
  const nowMs = createClock()
  return (
    <span class="people-badges">
      <Show when={props.profile.externalId !== ''} fallback={<Badge>{t('people.anonymous')}</Badge>}>
        <Badge tone="accent" icon={<UserCheck />}>
          {t('people.identified')}
        </Badge>
      </Show>
      <Show when={isOnline(props.profile, nowMs())}>
        <span class="people-online">
          <LiveDot /> {t('people.online')}
        </span>
      </Show>
    </span>
  )
}
