import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** The file beside an unfinished export or import, from which the command resumes. */
export interface ProgressFile<State> {
  /** Its path beside the file that is written or read. */
  path(subject: string): string
  /** The stored state; `undefined` when there is none. Throws when another release wrote it. */
  read(subject: string): State | undefined
  /** Replaces the state. */
  write(subject: string, state: State): void
  /** Removes the state of a completed command. */
  remove(subject: string): void
}

/** The form of a progress file. */
export interface ProgressFormat<State> {
  readonly version: number
  /** Names in the file of fields that the code names otherwise. */
  readonly names?: Partial<Record<keyof State & string, string>>
  /** Whether a state must survive a power cut: where an older state would repeat or lose data. */
  readonly isDurable: boolean
}

/** Describes a progress file. */
export function progressFile<State extends object>({
  version,
  names = {},
  isDurable,
}: ProgressFormat<State>): ProgressFile<State> {
  const stored = new Map(Object.entries(names).map(([name, inFile]) => [name, String(inFile)]))
  const original = new Map(Array.from(stored, ([name, inFile]) => [inFile, name]))
  const path = (subject: string): string => `${subject}.progress`
  return {
    path,
    read: (subject) => {
      const text = readIfPresent(path(subject))
      if (text === undefined) return undefined
      const { version: written, ...fields } = JSON.parse(text)
      if (written !== version) throw new Error(`${path(subject)} was written by another release`)
      return rename(fields, original) as State
    },
    write: (subject, state) => {
      const draft = `${path(subject)}.tmp`
      const file = { version, ...rename(state, stored) }
      writeFileSync(draft, `${JSON.stringify(file)}\n`, { flush: isDurable })
      renameSync(draft, path(subject))
    },
    remove: (subject) => rmSync(path(subject), { force: true }),
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function rename(fields: object, names: ReadonlyMap<string, string>): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names.get(name) ?? name, value]))
}
