/** Milliseconds since the Unix epoch: both databases store integers alike. */
export type TimeMs = number
