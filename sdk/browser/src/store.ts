/** Texts by key: in the storage of the browser where that is allowed and works, else in memory. */
export interface Store {
  /** The keys that begin with `start`, in memory and stored, in order. */
  keysFrom(start: string): string[]
  read(key: string): string | null | undefined
  write(key: string, text: string): void
  /** Keeps a text in memory only. */
  hold(key: string, text: string): void
  erase(key: string): void
  /** The keys whose texts are in memory only, as far as they begin with `start`. */
  heldKeys(start: string): string[]
  /** From now on texts may be stored. */
  allow(): void
  /** From now on nothing is stored; what was stored is in memory only. */
  forbid(): void
}

/** A store in which every key of ours begins with `prefix`. It starts allowed to store. */
export function createStore(prefix: string): Store {
  const memory = new Map<string, string>()
  let disk = findStorage()
  const heldKeys = (start: string): string[] => [...memory.keys()].filter((key) => key.startsWith(start))
  const storedKeys = (start: string): string[] =>
    Object.keys(disk ?? {}).filter((key) => key.startsWith(start))
  return {
    heldKeys,
    keysFrom: (start) => [...heldKeys(start), ...storedKeys(start)].sort(),
    read: (key) => memory.get(key) ?? disk?.getItem(key),
    write: (key, text) => {
      memory.set(key, text)
      try {
        disk?.setItem(key, text)
        if (disk) memory.delete(key)
      } catch {
        // It is full; memory has the text.
      }
    },
    hold: (key, text) => memory.set(key, text),
    erase: (key) => {
      memory.delete(key)
      disk?.removeItem(key)
    },
    allow: () => {
      disk = findStorage()
    },
    forbid: () => {
      for (const key of storedKeys(prefix)) {
        memory.set(key, disk?.getItem(key) ?? '')
        disk?.removeItem(key)
      }
      disk = undefined
    },
  }
}

function findStorage(): Storage | undefined {
  try {
    return localStorage ?? undefined
  } catch {
    // The browser blocks it: its settings, or a frame without an origin.
    return undefined
  }
}
