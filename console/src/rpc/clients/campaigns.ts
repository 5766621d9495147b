import { createClient } from '@connectrpc/connect'
import { CampaignService } from '@contract/shared/campaigns/v1/campaign_service_pb.js'
import { transport } from '../transport.ts'

/** Messages to devices. */
export const campaignsClient = createClient(CampaignService, transport)
