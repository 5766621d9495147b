/** Advice for a Redis with persistence: salts on its disk would outlive their day. */
export const PERSISTENCE_ADVICE =
  'Redis may write salts of cookieless visitors to disk; set save "" and appendonly no'
