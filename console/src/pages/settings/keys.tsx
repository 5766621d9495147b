import { timestampMs } from '@bufbuild/protobuf/wkt'
import { type ApiKey, ApiKeyKind } from '@contract/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import KeyRound from 'lucide-solid/icons/key-round'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatDay, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/combobox.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { withProof } from '../second-factor/with-proof.tsx'
import { FormLine } from './form-card.tsx'
import { Loaded } from './loaded.tsx'
import { SecretCard } from './secret-card.tsx'

const projectsClient = clientOf(ProjectsService)

const KINDS = { public: ApiKeyKind.PUBLIC, private: ApiKeyKind.PRIVATE } as const

type Kind = keyof typeof KINDS

/** A key by its name, or by its masked text when it has none. */
function nameOf({ displayName, masked }: ApiKey): string {
  return displayName.trim() === '' ? masked : displayName.trim()
}

/** The API keys of the project. */
export function KeySettings(): JSX.Element {
  const workspace = useWorkspace()
  const [secret, setSecret] = createSignal('')
  const [ending, setEnding] = createSignal<ApiKey>()
  const keys = useQuery(() => ({
    queryKey: ['api-keys', workspace().project.id],
    queryFn: async () => (await projectsClient.listApiKeys({})).apiKeys,
  }))
  const revoke = async ({ id }: ApiKey): Promise<void> => {
    await projectsClient.deleteApiKey({ id })
    await keys.refetch()
  }
  return (
    <>
      <NewKey
        onCreated={(text) => {
          setSecret(text)
          void keys.refetch()
        }}
      />
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
                columns={keyColumns(workspace().timeZone, setEnding)}
              />
            </Show>
          )}
        </Loaded>
      </Card>
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

function keyColumns(timeZone: string, onRevoke: (key: ApiKey) => void): readonly Column<ApiKey, string>[] {
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
      key: 'revoke',
      title: '',
      cell: (key) => (
        <Button
          size="small"
          tone="danger"
          aria-label={t('settings.revokeKey', { name: key.displayName, key: key.masked })}
          onClick={() => onRevoke(key)}
        >
          {t('settings.revoke')}
        </Button>
      ),
    },
  ]
}

function NewKey(props: { readonly onCreated: (text: string) => void }): JSX.Element {
  const [name, setName] = createSignal('')
  const [kind, setKind] = createSignal<Kind>('public')
  const create = async (): Promise<void> => {
    const { onCreated } = props
    const request = { kind: KINDS[kind()], displayName: name() }
    const { key } = await withProof(async () => await projectsClient.createApiKey(request))
    setName('')
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
          </>
        )}
      </FormLine>
    </Card>
  )
}
