import type { ProjectId } from '../../contract/ids.ts'
import type { JobContext, JobHandler, JobOutcome } from '../../jobs/job-handler.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Job } from '../../store/catalog/job-store.ts'
import type { Delivery } from '../../store/clickhouse/deliveries.ts'
import type { Campaign, Campaigns } from '../campaigns/campaigns.ts'
import { readNotification } from '../campaigns/notification.ts'
import type { Devices, PushTarget } from '../devices/devices.ts'
import type { FcmAccount } from '../projects/fcm-account.ts'
import type { CampaignSend, CampaignSends, SettledTarget } from './campaign-sends.ts'
import { type FcmClientParts, openFcmClient, type SendMessage } from './fcm-client.ts'
import { composeMessage, messageIdOf } from './fcm-message.ts'
import { PushRefusedError, PushUnavailableError } from './fcm-tokens.ts'

/** Dependencies of sending campaigns. */
export interface SendCampaignParts {
  readonly campaigns: Campaigns
  readonly devices: Devices
  readonly sends: CampaignSends
  readonly fcm: FcmClientParts
  readonly readAccount: (projectId: ProjectId) => Promise<FcmAccount | undefined>
  readonly recordDeliveries: (deliveries: readonly Delivery[], signal: AbortSignal) => Promise<void>
  readonly clock: Clock
  readonly log: Logger
  /** Devices per attempt; {@link PAGE_DEVICES} by default. */
  readonly pageDevices?: number
}

/** Progress of a campaign: devices with ids up to `after` are settled. */
type Progress = {
  readonly id: string
  readonly revision: number
  readonly after: string
  readonly sent: number
  readonly failed: number
}

/** Devices per attempt, after which other jobs may run. */
const PAGE_DEVICES = 512

/** Concurrent messages. After a crash, those without a recorded outcome are sent again. */
const CONCURRENCY = 64

/** Maximum duration of a campaign whose messages the push service keeps postponing. */
const SENDING_MS_MAX = 24 * 3_600_000

/** Maximum delay that the push service can request. */
const PAUSE_MS_MAX = 3_600_000

/** Sends campaigns, page by page. */
export function createSendCampaign(parts: SendCampaignParts): JobHandler {
  return {
    run: async (job, context) => {
      const progress = progressOf(job)
      const campaign = await parts.campaigns.start(progress)
      if (!campaign) return { next: 'done' }
      try {
        return await new CampaignPage(parts, campaign, context).run(progress)
      } catch (error) {
        if (!(error instanceof PushRefusedError)) throw error
        parts.log.error({ campaign: campaign.id, reason: error.message }, 'a campaign failed')
        return await finish(parts, campaign.id, 'fail')
      }
    },
    giveUp: async (job) => {
      await finish(parts, progressOf(job).id, 'fail')
    },
  }
}

function progressOf({ payload }: Job): Progress {
  return { after: '', sent: 0, failed: 0, ...(payload as Pick<Progress, 'id' | 'revision'>) }
}

async function finish(
  { campaigns, sends }: SendCampaignParts,
  id: string,
  status: 'complete' | 'fail',
): Promise<JobOutcome> {
  await campaigns.finish(id, status)
  await sends.clear(id)
  return { next: 'done' }
}

class CampaignPage {
  readonly #parts: SendCampaignParts
  readonly #campaign: Campaign
  readonly #context: JobContext

  constructor(parts: SendCampaignParts, campaign: Campaign, context: JobContext) {
    this.#parts = parts
    this.#campaign = campaign
    this.#context = context
  }

  async run(progress: Progress): Promise<JobOutcome> {
    const { devices, sends, clock, pageDevices = PAGE_DEVICES } = this.#parts
    const { id: campaignId, projectId, startMs = clock.nowMs() } = this.#campaign
    if (clock.nowMs() - startMs > SENDING_MS_MAX) throw new PushRefusedError('the campaign took too long')
    const send = await this.#open()
    const page = await devices.listActive({ projectId, deviceId: progress.after }, pageDevices)
    const settled = await sends.list({ campaignId, after: progress.after })
    const done = new Set(settled.map(({ deviceId }) => deviceId))
    const left = page.filter(({ deviceId }) => !done.has(deviceId))
    const retryAfterMs = await this.#sendAll(left, send)
    if (retryAfterMs !== undefined) return this.#pause(progress, retryAfterMs)
    const next = await this.#advance(progress, page.at(-1)?.deviceId)
    if (page.length === pageDevices) return { next: 'again', payload: next, dueMs: clock.nowMs() }
    return await this.#complete(next)
  }

  async #open(): Promise<SendMessage> {
    const { readAccount, fcm } = this.#parts
    const account = await readAccount(this.#campaign.projectId)
    if (!account) throw new PushRefusedError('the project has no service account')
    return await openFcmClient(fcm, account, this.#context.signal)
  }

  /** Sends to all devices. Returns the delay that the push service requests, if it postpones messages. */
  async #sendAll(targets: readonly PushTarget[], send: SendMessage): Promise<number | undefined> {
    for (let start = 0; start < targets.length; start += CONCURRENCY) {
      const retryAfterMs = await this.#sendSome(targets.slice(start, start + CONCURRENCY), send)
      if (retryAfterMs !== undefined) return retryAfterMs
    }
    return undefined
  }

  async #sendSome(targets: readonly PushTarget[], send: SendMessage): Promise<number | undefined> {
    const { id: campaignId, projectId } = this.#campaign
    const notification = readNotification(this.#campaign.notification)
    const results = await Promise.allSettled(
      targets.map(async (target) => {
        const message = composeMessage({ campaignId, notification, target })
        return { target, result: await send(message, this.#context.signal) }
      }),
    )
    const settled: SettledTarget[] = []
    let retryAfterMs: number | undefined
    for (const outcome of results) {
      if (outcome.status === 'rejected') continue
      const { target, result } = outcome.value
      if (result.kind === 'later') retryAfterMs = Math.max(retryAfterMs ?? 0, result.retryAfterMs)
      else settled.push({ target, outcome: result.kind })
    }
    // First record what was sent, so that it is not sent again.
    await this.#parts.sends.settle({ projectId, campaignId }, settled)
    const failure = results.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
    return retryAfterMs
  }

  /** Waits for the delay that the push service requested; without one, the job's retry backoff applies. */
  #pause(progress: Progress, retryAfterMs: number): JobOutcome {
    if (retryAfterMs === 0) throw new PushUnavailableError('the push service is unavailable')
    const dueMs = this.#parts.clock.nowMs() + Math.min(retryAfterMs, PAUSE_MS_MAX)
    return { next: 'again', payload: progress, dueMs }
  }

  /** Records the deliveries of the page, and advances behind it. */
  async #advance(progress: Progress, last: string | undefined): Promise<Progress> {
    const { sends, recordDeliveries } = this.#parts
    const settled = await sends.list({ campaignId: progress.id, after: progress.after })
    await recordDeliveries(
      settled.map((send) => this.#toDelivery(send)),
      this.#context.signal,
    )
    const sentCount = settled.filter(({ outcome }) => outcome === 'sent').length
    const next = {
      ...progress,
      after: last ?? progress.after,
      sent: progress.sent + sentCount,
      failed: progress.failed + settled.length - sentCount,
    }
    await this.#context.save(next)
    await sends.clear(progress.id)
    return next
  }

  async #complete({ sent, failed }: Progress): Promise<JobOutcome> {
    const { id } = this.#campaign
    const status = sent === 0 && failed > 0 ? 'fail' : 'complete'
    this.#parts.log.info({ campaign: id, sent, failed, status }, 'finished a campaign')
    return await finish(this.#parts, id, status)
  }

  #toDelivery({ deviceId, platform, outcome, sentMs }: CampaignSend): Delivery {
    const { id: campaignId, projectId } = this.#campaign
    return {
      projectId,
      campaignId,
      type: outcome === 'sent' ? 'sent' : 'failed',
      messageId: messageIdOf({ campaignId, deviceId }),
      timeMs: sentMs,
      platform,
      deviceId,
      metadata: outcome === 'sent' ? {} : { reason: outcome },
    }
  }
}
