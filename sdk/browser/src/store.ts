/** Every key of ours in the storage of the origin begins with it. */
export let prefix = ''

/** Texts that are in memory only: storing is not allowed, the storage is full, or they end with the page. */
const memory = new Map<string, string>()
let disk: Storage | undefined | null

/** From now on texts are stored by key: in the storage of the browser where that works, else in memory. */
export const openStore = (ofPrefix: string): void => {
  prefix = ofPrefix
  try {
    disk = localStorage
  } catch {
    // The browser blocks it: its settings, or a frame without an origin.
  }
}

/** From now on nothing is stored; what was stored is in memory only. */
export const closeStore = (): void => {
  for (const key of storedKeys('')) {
    const text = read(key)
    erase(key)
    hold(key, text)
  }
  disk = undefined
}

/** The text of a key, empty where there is none. */
export const read = (key: string): string => {
  return memory.get(key) ?? disk?.getItem(prefix + key) ?? ''
}

export const write = (key: string, text: string): void => {
  hold(key, text)
  try {
    if (!disk) return
    disk.setItem(prefix + key, text)
    memory.delete(key)
  } catch {
    // It is full; memory has the text.
  }
}

/** Keeps a text in memory only. */
export const hold = (key: string, text: string): void => {
  memory.set(key, text)
}

export const erase = (key: string): void => {
  memory.delete(key)
  disk?.removeItem(prefix + key)
}

/** The keys that begin with `start`, in memory and stored, in order. */
export const keysFrom = (start: string): string[] => {
  return [...heldKeys(start), ...storedKeys(start)].sort()
}

/** The keys whose texts are in memory only, as far as they begin with `start`. */
export const heldKeys = (start: string): string[] => {
  return [...memory.keys()].filter((key) => key.startsWith(start))
}

const storedKeys = (start: string): string[] => {
  return Object.keys(disk ?? {})
    .filter((key) => key.startsWith(prefix + start))
    .map((key) => key.slice(prefix.length))
}
