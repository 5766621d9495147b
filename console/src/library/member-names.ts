import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import './messages.ts'

const orgsClient = clientOf(OrgsService)

/** Names accounts by their addresses; the author of what an API key made is that. Empty until they are read. */
export function createMemberNames(): (account: string) => string {
  const workspace = useWorkspace()
  const may = useMay()
  const members = useQuery(() => ({
    queryKey: ['member-names', workspace().org.id],
    // A guest of the organisation sees no members.
    enabled: may(OrgsService.method.listMembers),
    queryFn: async () => (await orgsClient.listMembers({ orgId: workspace().org.id })).members,
  }))
  return (account) => {
    if (account === '') return t('library.byKey')
    if (account === workspace().account.customerId) return t('library.byYou')
    const found = members.isSuccess ? members.data.find((member) => member.customerId === account) : undefined
    return found?.email ?? (members.isSuccess ? t('library.byFormer') : '')
  }
}
