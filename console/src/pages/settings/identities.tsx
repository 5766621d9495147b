import { timestampMs } from '@bufbuild/protobuf/wkt'
import { IdentitiesService, type Identity } from '@contract/millrace/account/v1/identities_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { useAccount } from '../../context/workspace.ts'
import { formatMinute } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { connectProvider, readSignInWays, type SignInProvider } from '../../rpc/provider-sign-in.ts'
import { refreshSession } from '../../rpc/session.ts'
import { createAction } from '../../ui/action.ts'
import { readyOf } from '../../ui/async.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/states.tsx'

const identitiesClient = clientOf(IdentitiesService)

/** The providers that sign in to the account, and those that can be connected; nothing where none is set up. */
export function Identities(): JSX.Element {
  const [ways] = createResource(readSignInWays)
  return (
    <Show when={readyOf(ways)?.providers.length ? readyOf(ways)?.providers : undefined}>
      {(providers) => <IdentityCard providers={providers()} />}
    </Show>
  )
}

function IdentityCard(props: { readonly providers: readonly SignInProvider[] }): JSX.Element {
  const action = createAction()
  const [leaving, setLeaving] = createSignal<Identity>()
  const identities = useQuery(() => ({
    queryKey: ['identities'],
    queryFn: async () => (await identitiesClient.list({})).identities,
  }))
  const connected = (): readonly Identity[] => (identities.isSuccess ? identities.data : [])
  const identityOf = (provider: SignInProvider): Identity | undefined =>
    connected().find(({ providerId }) => providerId === provider.id)
  const labelOf = ({ providerId, issuerUrl }: Identity): string =>
    props.providers.find(({ id }) => id === providerId)?.label ?? issuerUrl
  /** Their provider is no longer set up. */
  const orphans = (): readonly Identity[] => connected().filter(({ providerId }) => providerId === '')
  const disconnect = async ({ id }: Identity): Promise<void> => {
    await identitiesClient.disconnect({ id })
    // The session of this page may have begun with it.
    await refreshSession()
    await identities.refetch()
  }
  return (
    <Card title={t('settings.identities')}>
      <p class="settings-text">{t('settings.identitiesText')}</p>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <Show when={identities.isSuccess}>
        <ul class="settings-identities">
          <For each={props.providers}>
            {(provider) => (
              <li>
                <span class="settings-strong">{provider.label}</span>
                <Show
                  when={identityOf(provider)}
                  fallback={
                    <Button
                      size="small"
                      isLoading={action.isRunning()}
                      onClick={() => action.run(async () => await connectProvider(provider.id))}
                    >
                      {t('settings.connect')}
                    </Button>
                  }
                >
                  {(identity) => <Connected identity={identity()} onLeave={setLeaving} />}
                </Show>
              </li>
            )}
          </For>
          <For each={orphans()}>
            {(identity) => (
              <li>
                <span class="settings-strong">{labelOf(identity)}</span>
                <Connected identity={identity} onLeave={setLeaving} />
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={leaving()} keyed>
        {(identity) => (
          <ConfirmDialog
            title={t('settings.disconnectAsk', { name: labelOf(identity) })}
            text={t('settings.disconnectText')}
            verb={t('settings.disconnect')}
            isOpen={true}
            onClose={() => setLeaving(undefined)}
            onConfirm={async () => await disconnect(identity)}
          />
        )}
      </Show>
    </Card>
  )
}

function Connected(props: {
  readonly identity: Identity
  readonly onLeave: (identity: Identity) => void
}): JSX.Element {
  const place = useAccount()
  const lastUsed = (): string => {
    const { lastUsedTime } = props.identity
    return lastUsedTime ? formatMinute(timestampMs(lastUsedTime), place().timeZone) : ''
  }
  return (
    <>
      <span class="settings-quiet ui-ellipsis">
        {t('settings.identityUsed', { email: props.identity.email || '—', time: lastUsed() })}
      </span>
      <Button size="small" onClick={() => props.onLeave(props.identity)}>
        {t('settings.disconnect')}
      </Button>
    </>
  )
}
