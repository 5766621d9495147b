/** What to do about a Redis that writes its memory to disk, where salts would outlive their day. */
export const PERSISTENCE_ADVICE =
  'Redis may write salts of cookieless visitors to disk; set save "" and appendonly no'
