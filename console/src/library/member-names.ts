import type { OrgMember } from '@contract/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createMemo } from 'solid-js'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import './messages.ts'

const orgsClient = clientOf(OrgsService)

/** Accounts that one request names. */
const NAMED_MAX = 1000

/** Names some accounts by their addresses; the author of what an API key made is that. Empty until they are read. */
export function createMemberNames(accounts: () => readonly string[]): (account: string) => string {
  const workspace = useWorkspace()
  const may = useMay()
  const asked = createMemo(
    () => {
      const others = new Set(accounts())
      others.delete('')
      others.delete(workspace().account.customerId)
      return [...others].sort().slice(0, NAMED_MAX)
    },
    [],
    { equals: (one, other) => one.join() === other.join() },
  )
  const members = useQuery(() => {
    const request = { orgId: workspace().org.id, customerIds: asked() }
    return {
      queryKey: ['member-names', request.orgId, request.customerIds],
      // A guest of the organisation sees no members.
      enabled: asked().length > 0 && may(OrgsService.method.listMembers),
      queryFn: async () => (await orgsClient.listMembers(request)).members,
      placeholderData: (before: OrgMember[] | undefined) => before,
    }
  })
  return (account) => {
    if (account === '') return t('library.byKey')
    if (account === workspace().account.customerId) return t('library.byYou')
    const found = members.isSuccess ? members.data.find((member) => member.customerId === account) : undefined
    return found?.email ?? (members.isSuccess && !members.isPlaceholderData ? t('library.byFormer') : '')
  }
}
