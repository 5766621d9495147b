import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type PersonalToken,
  TokenScope,
  TokensService,
} from '@contract/millrace/account/v1/tokens_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, type JSX, Show } from 'solid-js'
import { useAccount } from '../../context/workspace.ts'
import { formatDay, formatMinute } from '../../format/values.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Loaded } from './loaded.tsx'
import { NewToken } from './new-token.tsx'
import { SecretCard } from './secret-card.tsx'

const tokensClient = clientOf(TokensService)

const SCOPES = {
  [TokenScope.UNSPECIFIED]: 'settings.withUnknown',
  [TokenScope.READ]: 'settings.tokenRead',
  [TokenScope.WRITE]: 'settings.tokenWrite',
  [TokenScope.ADMIN]: 'settings.tokenAdmin',
} as const satisfies Record<TokenScope, NameKey>

/** The personal access tokens of the account, and a form that creates one. */
export function Tokens(): JSX.Element {
  const place = useAccount()
  const [secret, setSecret] = createSignal('')
  const [ending, setEnding] = createSignal<PersonalToken>()
  const tokens = useQuery(() => ({
    queryKey: ['personal-tokens'],
    queryFn: async () => (await tokensClient.list({})).tokens,
  }))
  const projects = (): ReadonlyMap<string, string> =>
    new Map(
      place().account.organisations.flatMap((organisation) =>
        organisation.projects.map(({ id, displayName }) => [id, displayName]),
      ),
    )
  const revoke = async ({ id }: PersonalToken): Promise<void> => {
    await tokensClient.revoke({ id })
    await tokens.refetch()
  }
  return (
    <Card title={t('settings.tokens')} padding="none">
      <div class="settings-pad">
        <p class="settings-text">{t('settings.tokensText')}</p>
        <NewToken
          projects={projects()}
          onCreated={(text) => {
            setSecret(text)
            void tokens.refetch()
          }}
        />
        <Show when={secret()}>
          {(text) => (
            <SecretCard
              title={t('settings.copyTokenNow')}
              text={t('settings.tokenSecretText')}
              secret={text()}
              onClose={() => setSecret('')}
            />
          )}
        </Show>
      </div>
      <Loaded query={tokens}>
        {(list) => (
          <Show when={list().length > 0}>
            <Table
              label={t('settings.tokens')}
              rows={list()}
              columns={tokenColumns(place().timeZone, { projects, onRevoke: setEnding })}
            />
          </Show>
        )}
      </Loaded>
      <Show when={ending()} keyed>
        {(token) => (
          <ConfirmDialog
            title={t('settings.revokeAsk', { name: token.displayName })}
            text={t('settings.tokenRevokeText', { key: token.masked })}
            verb={t('settings.tokenRevokeVerb')}
            isOpen={true}
            onClose={() => setEnding(undefined)}
            onConfirm={async () => await revoke(token)}
          />
        )}
      </Show>
    </Card>
  )
}

function tokenColumns(
  timeZone: string,
  act: {
    readonly projects: () => ReadonlyMap<string, string>
    readonly onRevoke: (token: PersonalToken) => void
  },
): readonly Column<PersonalToken, string>[] {
  const projectsOf = ({ projectIds }: PersonalToken): string =>
    projectIds.length === 0
      ? t('settings.tokenAllProjects')
      : projectIds.map((id) => act.projects().get(id) ?? id).join(', ')
  return [
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: ({ displayName, masked }) => (
        <>
          {displayName} <code>{masked}</code>
        </>
      ),
    },
    { key: 'scope', title: t('settings.tokenScope'), cell: ({ scope }) => t(SCOPES[scope]) },
    { key: 'projects', title: t('settings.tokenProjects'), cell: projectsOf },
    {
      key: 'expires',
      title: t('settings.keyExpires'),
      cell: ({ expireTime }) => <TokenEnd time={expireTime} timeZone={timeZone} />,
    },
    {
      key: 'used',
      title: t('settings.lastUsed'),
      cell: ({ lastUsedTime }) =>
        lastUsedTime ? formatMinute(timestampMs(lastUsedTime), timeZone) : t('settings.keyNever'),
    },
    {
      key: 'revoke',
      title: '',
      cell: (token) => (
        <Button
          size="small"
          tone="danger"
          aria-label={t('settings.revokeKey', { name: token.displayName, key: token.masked })}
          onClick={() => act.onRevoke(token)}
        >
          {t('settings.revoke')}
        </Button>
      ),
    },
  ]
}

function TokenEnd(props: {
  readonly time: PersonalToken['expireTime']
  readonly timeZone: string
}): JSX.Element {
  const ms = (): number => (props.time ? timestampMs(props.time) : 0)
  return (
    <Show when={ms() <= Date.now()} fallback={formatDay(ms(), props.timeZone)}>
      <Badge tone="warn">{t('settings.expired')}</Badge>
    </Show>
  )
}
