import { timestampMs } from '@bufbuild/protobuf/wkt'
import { type ApiKey, ApiKeyKind } from '@contract/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import KeyRound from 'lucide-solid/icons/key-round'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatDay, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/combobox.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { withProof } from '../second-factor/with-proof.tsx'
import { FormLine } from './form-card.tsx'
import { LimitKey, nameOf, RotateKey } from './key-dialogs.tsx'
import {
  AddressesField,
  addressesIn,
  type Expiry,
  ExpiryField,
  expireTimeOf,
  problemOfAddresses,
} from './key-limit-fields.tsx'
import { Loaded } from './loaded.tsx'
import { SecretCard } from './secret-card.tsx'

const projectsClient = clientOf(ProjectsService)

const KINDS = { public: ApiKeyKind.PUBLIC, private: ApiKeyKind.PRIVATE } as const

type Kind = keyof typeof KINDS

/** The API keys of the project. */
export function KeySettings(): JSX.Element {
  const workspace = useWorkspace()
  const [secret, setSecret] = createSignal('')
  const [ending, setEnding] = createSignal<ApiKey>()
  const [limiting, setLimiting] = createSignal<ApiKey>()
  const [rotating, setRotating] = createSignal<ApiKey>()
  const keys = useQuery(() => ({
    queryKey: ['api-keys', workspace().project.id],
    queryFn: async () => (await projectsClient.listApiKeys({})).apiKeys,
  }))
  const reload = async (): Promise<unknown> => await keys.refetch()
  const revoke = async ({ id }: ApiKey): Promise<void> => {
    await projectsClient.deleteApiKey({ id })
    await reload()
  }
  const showCreated = (text: string): void => {
    setSecret(text)
    void reload()
  }
  return (
    <>
      <NewKey onCreated={showCreated} />
      <Show when={secret()}>
        {(text) => (
          <SecretCard
            title={t('settings.copyKeyNow')}
            text={t(text().startsWith('prv_') ? 'settings.keyPrivateHint' : 'settings.keyPublicHint')}
            secret={text()}
            onClose={() => setSecret('')}
          />
        )}
      </Show>
      <Card title={t('settings.keys')} padding="none">
        <Loaded query={keys}>
          {(list) => (
            <Show
              when={list().length > 0}
              fallback={
                <EmptyState
                  icon={<KeyRound />}
                  title={t('settings.noKeys')}
                  text={t('settings.noKeysText')}
                />
              }
            >
              <Table
                label={t('settings.keys')}
                rows={list()}
                columns={keyColumns(workspace().timeZone, {
                  onLimit: setLimiting,
                  onRotate: setRotating,
                  onRevoke: setEnding,
                })}
              />
            </Show>
          )}
        </Loaded>
      </Card>
      <Show when={limiting()} keyed>
        {(key) => <LimitKey apiKey={key} onSaved={reload} onClose={() => setLimiting(undefined)} />}
      </Show>
      <Show when={rotating()} keyed>
        {(key) => <RotateKey apiKey={key} onCreated={showCreated} onClose={() => setRotating(undefined)} />}
      </Show>
      <Show when={ending()} keyed>
        {(key) => <RevokeKey apiKey={key} onRevoke={revoke} onClose={() => setEnding(undefined)} />}
      </Show>
    </>
  )
}

function RevokeKey(props: {
  readonly apiKey: ApiKey
  readonly onRevoke: (key: ApiKey) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  return (
    <ConfirmDialog
      title={t('settings.revokeAsk', { name: nameOf(props.apiKey) })}
      text={t('settings.revokeText', { key: props.apiKey.masked })}
      verb={t('settings.revokeVerb')}
      confirm={{ text: nameOf(props.apiKey), label: t('settings.typeKeyName') }}
      isOpen={true}
      onClose={() => props.onClose()}
      onConfirm={async () => await props.onRevoke(props.apiKey)}
    />
  )
}

/** What a row offers. */
interface KeyActions {
  readonly onLimit: (key: ApiKey) => void
  readonly onRotate: (key: ApiKey) => void
  readonly onRevoke: (key: ApiKey) => void
}

/** The end of a key, as a warning once it has passed. */
function ExpiryDay(props: { readonly time: ApiKey['expireTime']; readonly timeZone: string }): JSX.Element {
  const ms = (): number | undefined => props.time && timestampMs(props.time)
  return (
    <Show when={ms()} fallback={t('settings.keyNever')}>
      {(end) => (
        <Show when={end() <= Date.now()} fallback={formatDay(end(), props.timeZone)}>
          <Badge tone="warn">{t('settings.expired')}</Badge>
        </Show>
      )}
    </Show>
  )
}

function addressesOf({ allowedAddresses }: ApiKey): string {
  const [first, ...more] = allowedAddresses
  if (first === undefined) return t('settings.keyAnywhere')
  return more.length === 0 ? first : t('settings.keyAddressCount', { count: allowedAddresses.length })
}

function keyColumns(timeZone: string, actions: KeyActions): readonly Column<ApiKey, string>[] {
  return [
    { key: 'name', title: t('common.name'), kind: 'wide', cell: ({ displayName }) => displayName },
    {
      key: 'kind',
      title: t('settings.keyKind'),
      cell: ({ kind }) =>
        kind === ApiKeyKind.PUBLIC ? (
          <Badge>{t('settings.keyPublic')}</Badge>
        ) : (
          <Badge tone="warn">{t('settings.keyPrivate')}</Badge>
        ),
    },
    { key: 'key', title: t('settings.key'), cell: ({ masked }) => <code>{masked}</code> },
    {
      key: 'created',
      title: t('settings.created'),
      cell: ({ createTime }) => (createTime ? formatDay(timestampMs(createTime), timeZone) : NO_VALUE),
    },
    {
      key: 'expires',
      title: t('settings.keyExpires'),
      cell: ({ expireTime }) => <ExpiryDay time={expireTime} timeZone={timeZone} />,
    },
    { key: 'addresses', title: t('settings.keyAddresses'), cell: addressesOf },
    { key: 'actions', title: '', cell: (key) => <RowActions apiKey={key} actions={actions} /> },
  ]
}

function RowActions(props: { readonly apiKey: ApiKey; readonly actions: KeyActions }): JSX.Element {
  const named = () => ({ name: props.apiKey.displayName, key: props.apiKey.masked })
  return (
    <span class="settings-actions">
      <Button
        size="small"
        tone="danger"
        aria-label={t('settings.revokeKey', named())}
        onClick={() => props.actions.onRevoke(props.apiKey)}
      >
        {t('settings.revoke')}
      </Button>
      <Menu
        trigger={(attributes) => (
          <IconButton {...attributes} tone="ghost" size="small" name={t('settings.keyActions', named())}>
            <Ellipsis />
          </IconButton>
        )}
        entries={[
          { label: t('settings.keyRotate'), onSelect: () => props.actions.onRotate(props.apiKey) },
          { label: t('settings.keyLimits'), onSelect: () => props.actions.onLimit(props.apiKey) },
        ]}
      />
    </span>
  )
}

function NewKey(props: { readonly onCreated: (text: string) => void }): JSX.Element {
  const [name, setName] = createSignal('')
  const [kind, setKind] = createSignal<Kind>('public')
  const [expiry, setExpiry] = createSignal<Expiry>('never')
  const [addresses, setAddresses] = createSignal('')
  const create = async (): Promise<void> => {
    const { onCreated } = props
    const request = {
      kind: KINDS[kind()],
      displayName: name(),
      expireTime: expireTimeOf(expiry()),
      allowedAddresses: addressesIn(addresses()),
    }
    const { key } = await withProof(async () => await projectsClient.createApiKey(request))
    setName('')
    setExpiry('never')
    setAddresses('')
    onCreated(key)
  }
  return (
    <Card title={t('settings.newKey')}>
      <FormLine submit={t('settings.createKey')} done="" onSubmit={create}>
        {(problem) => (
          <>
            <Input
              label={t('settings.keyName')}
              required
              maxLength={255}
              placeholder={t('settings.keyExample')}
              value={name()}
              problem={problem('displayName')}
              onInput={setName}
            />
            <Select
              label={t('settings.keyKind')}
              hint={t(kind() === 'public' ? 'settings.keyPublicHint' : 'settings.keyPrivateHint')}
              options={[
                {
                  value: 'public',
                  label: t('settings.keyPublic'),
                  description: t('settings.keyPublicHint'),
                },
                {
                  value: 'private',
                  label: t('settings.keyPrivate'),
                  description: t('settings.keyPrivateHint'),
                },
              ]}
              value={kind()}
              onChange={setKind}
            />
            <ExpiryField
              label={t('settings.keyExpires')}
              value={expiry()}
              problem={problem('expireTime')}
              onChange={setExpiry}
            />
            <AddressesField
              value={addresses()}
              problem={problemOfAddresses(problem, addresses())}
              onInput={setAddresses}
            />
          </>
        )}
      </FormLine>
    </Card>
  )
}
