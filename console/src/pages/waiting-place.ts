/** An item that a page keeps for after a sign-in, such as the address that it leads back to. */
export interface Waiting {
  readonly untilMs: number
}

/** A place in the storage of the browser. All tabs share it: a link to sign in opens another one. */
export interface WaitingPlace<Item extends Waiting> {
  /** Does nothing where storage is switched off. */
  keep(item: Item): void
  /** What is there, whether its time is over or not. */
  read(): Item | undefined
  drop(): void
}

/** The place with a key, for one item of a form: storage can contain anything. */
export function createWaitingPlace<Item extends Waiting>(
  storageKey: string,
  isItem: (fields: Partial<Record<keyof Item, unknown>>) => boolean,
): WaitingPlace<Item> {
  const isStored = (value: unknown): value is Item =>
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<Waiting>).untilMs === 'number' &&
    isItem(value)
  return {
    keep: (item) => attempt(() => localStorage.setItem(storageKey, JSON.stringify(item))),
    read: () =>
      attempt(() => {
        const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
        return isStored(value) ? value : undefined
      }),
    drop: () => attempt(() => localStorage.removeItem(storageKey)),
  }
}

/** Storage can be switched off, and its texts can be changed. */
function attempt<Value>(access: () => Value): Value | undefined {
  try {
    return access()
  } catch {
    return undefined
  }
}
