/** Texts by key: in the storage of the browser where that is allowed and works, else in memory. */
export interface Store {
  /** The keys that begin with `start`, in memory and stored, in order. */
  keysFrom(start: string): string[]
  /** The text of a key, empty where there is none. */
  read(key: string): string
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
  const read = (key: string): string => memory.get(key) ?? disk?.getItem(key) ?? ''
  return {
    heldKeys,
    read,
    keysFrom: (start) => [...heldKeys(start), ...storedKeys(start)].sort(),
    write: (key, text) => {
      memory.set(key, text)
      try {
        if (!disk) return
        disk.setItem(key, text)
        memory.delete(key)
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
        memory.set(key, read(key))
        disk?.removeItem(key)
      }
      disk = undefined
    },
  }
}

function findStorage(): Storage | null | undefined {
  try {
    return localStorage
  } catch {
    // The browser blocks it: its settings, or a frame without an origin.
    return undefined
  }
}
