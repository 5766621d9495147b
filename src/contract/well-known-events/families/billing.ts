import type { EventFamily } from '../property-rule.ts'
import { currency, money, requiredText, text } from '../property-shapes.ts'

/** Subscriptions, invoices and payments. */
export const BILLING_EVENTS = {
  subscription_started: { subscription_id: requiredText, plan_id: text, amount: money, currency },
  subscription_changed: { subscription_id: requiredText, previous_plan_id: text, new_plan_id: text },
  subscription_canceled: { subscription_id: requiredText, plan_id: text, reason: text },
  subscription_renewed: { subscription_id: requiredText, plan_id: text, amount: money, currency },
  subscription_paused: { subscription_id: requiredText, plan_id: text, reason: text },
  subscription_resumed: { subscription_id: requiredText, plan_id: text, reason: text },
  subscription_trial_will_end: { subscription_id: requiredText, plan_id: text, trial_id: text },
  invoice_paid: { invoice_id: requiredText, subscription_id: text, amount: money, currency },
  invoice_failed: { invoice_id: requiredText, subscription_id: text, amount: money, currency, reason: text },
  payment_succeeded: { payment_id: text, invoice_id: text, subscription_id: text, amount: money, currency },
  payment_failed: {
    payment_id: text,
    invoice_id: text,
    subscription_id: text,
    amount: money,
    currency,
    reason: text,
  },
  payment_method_added: { payment_method_id: text, payment_method_type: text },
  payment_method_removed: { payment_method_id: text, payment_method_type: text },
  trial_started: { trial_id: text, plan_id: text },
  trial_converted: { trial_id: text, subscription_id: text, plan_id: text },
  refund_failed: { order_id: requiredText, refund_id: text, amount: money, currency, reason: text },
} as const satisfies EventFamily
