import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'

/** Time in which the browser must go back to the assistant. */
export const TICKET_MS = 10 * 60_000

/** The answer of a member to a request for consent. */
export type ConsentAnswer =
  | { readonly kind: 'connected'; readonly grantId: string; readonly customerId: string }
  | { readonly kind: 'refused' }

/** Dependencies of tickets. */
export interface TicketPorts {
  readonly clock: Clock
  readonly sealer: Sealer
}

/**
 * Seals an answer for the browser in which it was given. The browser that began the request has its cookie; only one that has both is
 * redirected, so that an attacker gets no tokens by the consent of another user to a request of the attacker.
 */
export function sealTicket({ clock, sealer }: TicketPorts, requestId: string, answer: ConsentAnswer): string {
  const text = JSON.stringify({ ...answer, expiresMs: clock.nowMs() + TICKET_MS })
  return Buffer.from(sealer.seal({ purpose: purposeOf(requestId), text }), 'base64').toString('base64url')
}

/** The answer of a ticket; `undefined` for one that is forged, of another request or too old. */
export function openTicket(
  { clock, sealer }: TicketPorts,
  requestId: string,
  ticket: string,
): ConsentAnswer | undefined {
  try {
    const sealed = Buffer.from(ticket, 'base64url').toString('base64')
    const { expiresMs, ...answer } = JSON.parse(sealer.unseal({ purpose: purposeOf(requestId), sealed }))
    return clock.nowMs() < expiresMs ? answer : undefined
  } catch {
    return undefined
  }
}

function purposeOf(requestId: string): string {
  return `assistant-consent/${requestId}`
}
