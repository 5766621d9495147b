import { timestampMs } from '@bufbuild/protobuf/wkt'
import { type Assistant, AssistantsService } from '@contract/millrace/account/v1/assistants_service_pb.js'
import { TokenScope } from '@contract/millrace/account/v1/tokens_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, type JSX, Show } from 'solid-js'
import { useAccount } from '../../context/workspace.ts'
import { formatDay, formatMinute } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import '../assistants/messages.ts'
import { Loaded } from './loaded.tsx'

const assistantsClient = clientOf(AssistantsService)

/** The assistants that act for the account. */
export function Assistants(): JSX.Element {
  const place = useAccount()
  const [ending, setEnding] = createSignal<Assistant>()
  const assistants = useQuery(() => ({
    queryKey: ['assistants'],
    queryFn: async () => (await assistantsClient.list({})).assistants,
  }))
  const projects = (): ReadonlyMap<string, string> =>
    new Map(
      place().account.organisations.flatMap((organisation) =>
        organisation.projects.map(({ id, displayName }) => [id, displayName]),
      ),
    )
  const disconnect = async ({ id }: Assistant): Promise<void> => {
    await assistantsClient.disconnect({ id })
    await assistants.refetch()
  }
  return (
    <Card title={t('assistants.list')} padding="none">
      <div class="settings-pad">
        <p class="settings-text">{t('assistants.listText', { url: `${location.origin}/mcp` })}</p>
      </div>
      <Loaded query={assistants}>
        {(list) => (
          <Show
            when={list().length > 0}
            fallback={<p class="settings-text settings-pad">{t('assistants.none')}</p>}
          >
            <Table
              label={t('assistants.list')}
              rows={list()}
              columns={columnsOf(place().timeZone, { projects, onEnd: setEnding })}
            />
          </Show>
        )}
      </Loaded>
      <Show when={ending()} keyed>
        {(assistant) => (
          <ConfirmDialog
            title={t('assistants.disconnectAsk', { name: assistant.displayName })}
            text={t('assistants.disconnectText')}
            verb={t('assistants.disconnect')}
            isOpen={true}
            onClose={() => setEnding(undefined)}
            onConfirm={async () => await disconnect(assistant)}
          />
        )}
      </Show>
    </Card>
  )
}

function columnsOf(
  timeZone: string,
  act: {
    readonly projects: () => ReadonlyMap<string, string>
    readonly onEnd: (assistant: Assistant) => void
  },
): readonly Column<Assistant, string>[] {
  return [
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: ({ displayName, redirectHost }) => (
        <>
          {displayName} <code>{redirectHost}</code>
        </>
      ),
    },
    {
      key: 'scope',
      title: t('assistants.scope'),
      cell: ({ scope }) => t(scope === TokenScope.WRITE ? 'settings.tokenWrite' : 'settings.tokenRead'),
    },
    {
      key: 'project',
      title: t('assistants.project'),
      cell: ({ projectId }) => act.projects().get(projectId) ?? projectId,
    },
    {
      key: 'expires',
      title: t('assistants.ends'),
      cell: ({ expireTime }) => (expireTime ? formatDay(timestampMs(expireTime), timeZone) : ''),
    },
    {
      key: 'used',
      title: t('settings.lastUsed'),
      cell: ({ lastUsedTime }) =>
        lastUsedTime ? formatMinute(timestampMs(lastUsedTime), timeZone) : t('settings.keyNever'),
    },
    {
      key: 'disconnect',
      title: '',
      cell: (assistant) => (
        <Button
          size="small"
          tone="danger"
          aria-label={t('assistants.disconnectNamed', { name: assistant.displayName })}
          onClick={() => act.onEnd(assistant)}
        >
          {t('assistants.disconnect')}
        </Button>
      ),
    },
  ]
}
