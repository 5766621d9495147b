import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { formatCountry } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { createActivityFeed } from '../../people/activity-feed.ts'
import { PropertyList } from '../../people/property-list.tsx'
import { eventIdOf, type KnownPerson } from '../../people/read-person.ts'
import { Timeline } from '../../people/timeline.tsx'
import { Card } from '../../ui/card.tsx'
import { Flag } from '../../ui/flag.tsx'
import { SearchInput } from '../../ui/input.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { ActivityCard } from './activity-card.tsx'
import { CohortsCard } from './cohorts-card.tsx'
import { FirstVisitCard } from './first-visit-card.tsx'
import { IdsCard } from './ids-card.tsx'

/** Properties at which the list gets a search. */
const SEARCHED_FROM = 6

type TimelineView = 'timeline' | 'sessions' | 'page views'

/** A person's properties at the left, their activity at the right. */
export function PersonBody(props: { readonly person: KnownPerson }): JSX.Element {
  const [view, setView] = createSignal<TimelineView>('timeline')
  const profile = (): Profile => props.person.profile
  const id = (): string => eventIdOf(profile())
  const feed = createActivityFeed(() => ({
    distinctId: id(),
    content: view() === 'page views' ? 'page views' : 'everything',
  }))
  return (
    <div class="person-body">
      <div class="person-facts">
        <PropertiesCard values={profile().properties ?? {}} />
        <CohortsCard distinctId={id()} />
        <IdsCard person={props.person} />
        <DeviceCard profile={profile()} />
        <FirstVisitCard profile={profile()} />
      </div>
      <div class="person-activity">
        <ActivityCard distinctId={id()} />
        <Card
          title={t('people.timeline')}
          actions={
            <SegmentedControl
              label={t('people.show')}
              choices={[
                { value: 'timeline', label: t('people.allEvents') },
                { value: 'sessions', label: t('people.sessions') },
                { value: 'page views', label: t('people.pageViews') },
              ]}
              value={view()}
              onChange={setView}
            />
          }
        >
          <Show when={view()} keyed>
            {(shown) => <Timeline feed={feed} open={shown === 'sessions' ? 'none' : 'newest'} />}
          </Show>
        </Card>
      </div>
    </div>
  )
}

function PropertiesCard(props: { readonly values: Readonly<Record<string, unknown>> }): JSX.Element {
  const [search, setSearch] = createSignal('')
  const count = (): number => Object.keys(props.values).length
  return (
    <Card title={t('people.properties')}>
      <Show when={count() > 0} fallback={<p class="person-quiet">{t('people.noProperties')}</p>}>
        <Show when={count() >= SEARCHED_FROM}>
          <SearchInput
            label={t('people.searchProperties')}
            placeholder={t('people.searchProperties')}
            value={search()}
            onInput={setSearch}
          />
        </Show>
        <PropertyList label={t('people.properties')} values={props.values} search={search()} />
      </Show>
    </Card>
  )
}

/** The location and the device of a person's latest event. */
function DeviceCard(props: { readonly profile: Profile }): JSX.Element {
  const facts = (): readonly (readonly [string, string])[] => {
    const activity = props.profile.activity
    const join = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part).join(' ')
    return [
      [t('people.device'), activity?.device ?? ''],
      [t('people.browser'), join(activity?.browser, activity?.browserVersion)],
      [t('people.system'), join(activity?.os, activity?.osVersion)],
    ]
  }
  const place = (): string =>
    [props.profile.activity?.city, formatCountry(props.profile.activity?.country ?? '')]
      .filter((part) => part)
      .join(', ')
  const known = () => facts().filter(([, text]) => text !== '')
  return (
    <Show when={known().length > 0 || place() !== ''}>
      <Card title={t('people.lastSeen')}>
        <dl class="people-facts">
          <Show when={place() !== ''}>
            <div>
              <dt>{t('people.location')}</dt>
              <dd>
                <span>
                  <Flag country={props.profile.activity?.country ?? ''} /> {place()}
                </span>
              </dd>
            </div>
          </Show>
          <For each={known()}>
            {([name, text]) => (
              <div>
                <dt>{name}</dt>
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
