import { Webhook } from 'standardwebhooks'

/** A request as its receiver has it. */
export interface ReceivedWebhook {
  readonly body: string
  readonly headers: object
}

/**
 * Verifies the signature of a request by the library of Standard Webhooks, as a receiver does, and returns the body. Throws for
 * a wrong signature.
 */
export function verifyWebhook(secret: string, { body, headers }: ReceivedWebhook): unknown {
  return new Webhook(secret).verify(body, Object.fromEntries(Object.entries(headers)))
}
