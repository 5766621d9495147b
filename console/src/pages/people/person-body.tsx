import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import Copy from 'lucide-solid/icons/copy'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { formatCountry } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { type ActivityFeed, createActivityFeed } from '../../people/activity-feed.ts'
import { copyWithToast } from '../../people/copy-text.ts'
import { PropertyList } from '../../people/property-list.tsx'
import { eventIdOf } from '../../people/read-profile.ts'
import { Timeline } from '../../people/timeline.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Flag } from '../../ui/flag.tsx'
import { SearchInput } from '../../ui/input.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { ActivityCard } from './activity-card.tsx'
import { FirstVisitCard } from './first-visit-card.tsx'

/** Properties at which the list gets a search. */
const SEARCHED_FROM = 6

type TimelineView = 'timeline' | 'sessions' | 'page views'

/** A person's properties at the left, their activity at the right. */
export function PersonBody(props: { readonly profile: Profile }): JSX.Element {
  const [view, setView] = createSignal<TimelineView>('timeline')
  const id = (): string => eventIdOf(props.profile)
  const feed = createActivityFeed(() => ({
    distinctId: id(),
    content: view() === 'page views' ? 'page views' : 'everything',
  }))
  return (
    <div class="person-body">
      <div class="person-facts">
        <PropertiesCard values={props.profile.properties ?? {}} />
        <IdsCard profile={props.profile} feed={feed} />
        <DeviceCard profile={props.profile} />
        <FirstVisitCard profile={props.profile} />
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

/** The IDs of the profile, and the other ones that the loaded events were sent with. */
function IdsCard(props: { readonly profile: Profile; readonly feed: ActivityFeed }): JSX.Element {
  const ids = (): readonly (readonly [id: string, name: string])[] => {
    const { id, externalId } = props.profile
    const own: (readonly [string, string])[] =
      externalId === ''
        ? [[id, t('people.anonymousId')]]
        : [
            [externalId, t('people.userId')],
            [id, t('people.personId')],
          ]
    const known = new Set(own.map(([one]) => one))
    const others = [...new Set(props.feed.events()?.map(({ distinctId }) => distinctId) ?? [])]
    return [
      ...own,
      ...others.filter((one) => !known.has(one)).map((one) => [one, t('people.anonymousId')] as const),
    ]
  }
  return (
    <Card
      title={t('people.knownAs')}
      actions={
        <span class="person-quiet" data-tip={t('people.idsHint')}>
          {t('people.idCount', { count: ids().length })}
        </span>
      }
    >
      <ul class="person-ids">
        <For each={ids()}>
          {([id, name]) => (
            <li>
              <code title={id}>{id}</code>
              <span>{name}</span>
              <IconButton
                size="small"
                tone="ghost"
                name={t('common.copy')}
                onClick={() => void copyWithToast(id)}
              >
                <Copy />
              </IconButton>
            </li>
          )}
        </For>
      </ul>
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
