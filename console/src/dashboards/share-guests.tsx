import {
  type DashboardGuest,
  DashboardGuestsService,
} from '@contract/millrace/dashboards/v1/dashboard_guests_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Switch as OnOff, SearchInput } from '../ui/input.tsx'
import { ErrorState, SkeletonLines } from '../ui/states.tsx'
import { type BoardSettings, useBoard } from './board.ts'

const guestsClient = clientOf(DashboardGuestsService)

/** So many are found at a glance. */
const SEARCHED_FROM = 8

/** The guests of the project: a switch for each gives and takes away the dashboard. */
export function ShareGuests(props: {
  readonly isBusy: boolean
  readonly onChange: (settings: BoardSettings) => void
}): JSX.Element {
  const board = useBoard()
  const action = createAction()
  const [text, setText] = createSignal('')
  const id = (): string => board.dashboard().id
  const guests = useQuery(() => ({
    queryKey: ['dashboard-guests', id()],
    queryFn: async () => (await guestsClient.listGuests({ dashboardId: id() })).guests,
    // A guest may have joined, or a role may have changed.
    staleTime: 0,
  }))
  const change = ({ customerId }: DashboardGuest, isShared: boolean): void =>
    action.run(async () => {
      const share = { dashboardId: id(), customerId }
      if (isShared) await guestsClient.addGuest(share)
      else await guestsClient.removeGuest(share)
      await guests.refetch()
    })
  const shown = (): readonly DashboardGuest[] => {
    const word = text().trim().toLowerCase()
    return (guests.data ?? []).filter(({ email, displayName }) =>
      `${displayName} ${email}`.toLowerCase().includes(word),
    )
  }
  return (
    <section class="share-guests" aria-labelledby="share-guests">
      <h3 id="share-guests">{t('dashboards.guests')}</h3>
      <p class="ui-dialog-text">{t('dashboards.guestsText')}</p>
      <Switch fallback={<SkeletonLines count={2} />}>
        <Match when={guests.isError}>
          <ErrorState
            title={t('dashboards.guestsFailed')}
            error={guests.error}
            onRetry={() => void guests.refetch()}
          />
        </Match>
        <Match when={guests.data?.length === 0}>
          <p class="ui-dialog-text">{t('dashboards.noGuests')}</p>
        </Match>
        <Match when={guests.data}>
          {(all) => (
            <>
              <Show when={all().length >= SEARCHED_FROM}>
                <SearchInput
                  label={t('dashboards.findGuest')}
                  placeholder={t('dashboards.findGuest')}
                  value={text()}
                  onInput={setText}
                />
              </Show>
              <ul class="share-guest-list">
                <For each={shown()}>
                  {(guest) => (
                    <li>
                      <OnOff
                        label={<GuestName guest={guest} />}
                        isChecked={guest.isShared}
                        isDisabled={action.isRunning()}
                        onChange={(isShared) => change(guest, isShared)}
                      />
                    </li>
                  )}
                </For>
              </ul>
              {/* The options of a public link have the same switch. */}
              <Show when={board.dashboard().shareId === '' && all().some(({ isShared }) => isShared)}>
                <OnOff
                  label={t('dashboards.mayChooseRange')}
                  isChecked={!board.dashboard().isRangePinned}
                  isDisabled={props.isBusy}
                  onChange={(mayChoose) => props.onChange({ isRangePinned: !mayChoose })}
                />
              </Show>
            </>
          )}
        </Match>
      </Switch>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </section>
  )
}

function GuestName(props: { readonly guest: DashboardGuest }): JSX.Element {
  const name = (): string => props.guest.displayName || props.guest.email
  return (
    <span class="share-guest">
      <Avatar id={props.guest.email} name={name()} />
      <span class="ui-ellipsis">{name()}</span>
      <Show when={props.guest.displayName}>
        <span class="share-guest-address ui-ellipsis">{props.guest.email}</span>
      </Show>
    </span>
  )
}
