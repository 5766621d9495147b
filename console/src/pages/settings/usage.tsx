import type { Project } from '@contract/dashboard/projects/v1/project_pb.js'
import { type GetUsageResponse, UsageService } from '@contract/dashboard/usage/v1/usage_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import type { JSX } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatNumber, formatShortMonth } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Loaded } from './loaded.tsx'
import { countsOf, monthsUntil, rangeOf } from './usage-months.ts'

const usageClient = clientOf(UsageService)

/** The events of the organisation in this month, and by project in the last months. */
export function UsageCard(props: { readonly projects: readonly Project[] }): JSX.Element {
  const workspace = useWorkspace()
  const months = monthsUntil(Date.now())
  const usage = useQuery(() => ({
    queryKey: ['usage', workspace().org.id],
    queryFn: async () => await usageClient.getUsage({ orgId: workspace().org.id, range: rangeOf(months) }),
  }))
  return (
    <Card title={t('settings.usage')} padding="none">
      <Loaded query={usage}>
        {(answer) => (
          <>
            <p class="settings-text settings-pad">
              {t('settings.usageText', { number: formatNumber(Number(answer().usedEvents)) })}
            </p>
            <div class="settings-months">
              <Table
                label={t('settings.usage')}
                rows={props.projects}
                columns={usageColumns(answer(), months)}
              />
            </div>
          </>
        )}
      </Loaded>
    </Card>
  )
}

function usageColumns(
  answer: GetUsageResponse,
  months: readonly number[],
): readonly Column<Project, string>[] {
  return [
    { key: 'name', title: t('common.name'), kind: 'wide', cell: ({ displayName }) => displayName },
    ...months.map((start, index) => ({
      key: String(start),
      title: formatShortMonth(start, 'UTC'),
      kind: 'number' as const,
      cell: ({ id }: Project) => formatNumber(countsOf(answer, { projectId: id, months })[index] ?? 0),
    })),
  ]
}
