import { addColleague, callAs, firstOrganisation } from '../../test/harness/console-colleague.ts'
import { ADMIN, type Credentials } from '../../test/harness/console-service.ts'
import type { TestService } from '../../test/harness/service.ts'

const CHANNELS = 'millrace.alerts.v1.ChannelsService'
const CREATE_CAMPAIGN = 'shared.campaigns.v1.CampaignService/Create'

/** Gives the settings of a service something to show: colleagues, an invitation, a mail provider, campaigns, channels. Returns a guest. */
export async function fillSettings(service: TestService): Promise<Credentials> {
  const orgId = await firstOrganisation(service)
  await addColleague(service, 'member')
  await addColleague(service, 'viewer')
  const guest = await addColleague(service, 'guest')
  const invited = { orgId, email: 'grace@example.org', role: 'ORG_ROLE_MEMBER' }
  await callAs(service, ADMIN, { method: 'dashboard.orgs.v1.OrgsService/InviteMember', body: invited })
  const smtp = {
    host: 'mail.example.org',
    port: 465,
    username: 'acme',
    password: 'correct horse',
    useTls: true,
  }
  const provider = { orgId, fromAddress: 'Acme <hello@example.org>', replyTo: 'help@example.org', smtp }
  const set = 'dashboard.orgemailproviders.v1.OrgEmailProvidersService/Set'
  await callAs(service, ADMIN, { method: set, body: provider })
  const notificationData = Buffer.from('{"title": "Hello", "body": "It is here"}').toString('base64')
  await service.call(CREATE_CAMPAIGN, { name: 'Without a service account', notificationData })
  const scheduledTime = new Date(Date.now() + 86_400_000).toISOString()
  await service.call(CREATE_CAMPAIGN, { name: 'Spring sale', notificationData, scheduledTime })
  await addChannels(service)
  return guest
}

/** A channel of each kind: one has deliveries that failed, one is disabled. */
async function addChannels(service: TestService): Promise<void> {
  const add = async (channel: object): Promise<string> => {
    const { body } = await service.call(`${CHANNELS}/Create`, channel)
    return (body.channel as { readonly id: string }).id
  }
  await add({ name: 'Product team', mail: { addresses: ['ada@example.org', 'grace@example.org'] } })
  const slack = await add({
    name: 'Growth in Slack',
    slack: { url: 'https://hooks.slack.invalid/services/T0000/B0000/9c07' },
  })
  await service.call(`${CHANNELS}/Test`, { id: slack })
  const id = await add({ name: 'Incident bot', webhook: { url: 'https://bot.example.org/hooks/4f2a' } })
  await service.call(`${CHANNELS}/Update`, { id, name: 'Incident bot', enabled: false })
}
