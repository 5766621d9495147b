/** What a role's process tells the supervisor. */
export type FromRole =
  | { readonly type: 'ready' }
  /** It cannot start until a person changes something. */
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: readonly object[] }

/** What the supervisor tells a role's process. A closed channel means: stop. */
export type ToRole = { readonly type: 'stop' } | { readonly type: 'metrics'; readonly id: number }
