import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { formatDay, formatMoment, formatNumber, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { PersonAvatar } from '../../people/person-avatar.tsx'
import { PersonBadges } from '../../people/person-badges.tsx'
import { namePerson } from '../../people/person-name.ts'
import { eventIdOf } from '../../people/read-person.ts'
import { sessionsOfPersonHref } from '../sessions/session-conditions.ts'

interface Fact {
  readonly name: string
  /** Read while it is drawn, as ages go on. */
  readonly text: () => string
  readonly tip?: string
  readonly href?: string
}

/** The name of a person, and their numbers. */
export function PersonHead(props: { readonly profile: Profile }): JSX.Element {
  const workspace = useWorkspace()
  const name = () => namePerson(props.profile)
  const nowMs = createClock()
  const facts = (): readonly Fact[] => {
    const { activity } = props.profile
    const { timeZone } = workspace()
    const fact = (
      label: string,
      time: NonNullable<typeof activity>['firstSeen'],
      write: (ms: number) => string,
    ): Fact =>
      time
        ? {
            name: label,
            text: () => write(timestampMs(time)),
            tip: formatMoment(timestampMs(time), timeZone),
          }
        : { name: label, text: () => NO_VALUE }
    return [
      fact(t('people.firstSeen'), activity?.firstSeen, (ms) => formatDay(ms, timeZone)),
      fact(t('people.lastSeen'), activity?.lastSeen, (ms) => formatAgo(ms, { nowMs: nowMs(), timeZone })),
      {
        name: t('people.sessions'),
        text: () => formatNumber(activity?.sessions ?? 0n),
        tip: t('people.allSessions'),
        href: sessionsOfPersonHref(workspace().project.id, eventIdOf(props.profile)),
      },
      { name: t('people.events'), text: () => formatNumber(activity?.totalEvents ?? 0n) },
    ]
  }
  return (
    <div class="person-head">
      <PersonAvatar id={eventIdOf(props.profile)} person={name()} size="large" />
      <div class="person-title">
        <h1>{name().name}</h1>
        <PersonBadges profile={props.profile} />
        <p>{name().isAnonymous ? props.profile.id : name().detail}</p>
      </div>
      <dl class="person-numbers">
        <For each={facts()}>
          {(fact) => (
            <div>
              <dt>{fact.name}</dt>
              <dd data-tip={fact.tip}>
                <Show when={fact.href} fallback={fact.text()}>
                  {(href) => (
                    <a href={href()} aria-label={`${fact.tip}: ${fact.text()}`}>
                      {fact.text()}
                    </a>
                  )}
                </Show>
              </dd>
            </div>
          )}
        </For>
      </dl>
    </div>
  )
}
