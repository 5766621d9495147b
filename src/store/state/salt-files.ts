import { randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { decodeSalt, encodeSalt, SALT_BYTES } from './salt-record.ts'
import { type SaltOutcome, unavailable } from './state-store.ts'
import { DAY_MS, dayExpiryMs, utcDayText } from './utc-day.ts'

/**
 * Salts as files, one per day: a file can be overwritten in place and removed, which destroys an expired salt, whereas
 * LMDB would keep copies of it in free pages. They are synced, so that a day's ids stay the same after a crash.
 */
export class SaltFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The day's salt, created now if there is none: from `offered`, else at random. */
  obtain(day: number, offered: Uint8Array = randomBytes(SALT_BYTES)): SaltOutcome {
    try {
      const record = this.#read(day) ?? this.#create(day, offered)
      const salt = decodeSalt(day, record)
      return salt === undefined ? { status: 'corrupt' } : { status: 'ok', salt }
    } catch (error) {
      return unavailable(error)
    }
  }

  /**
   * Overwrites and removes the salts that have expired at `nowMs`, and temporary files that an interrupted writer left
   * for those days.
   */
  removeExpired(nowMs: number): void {
    for (const name of readdirSync(this.#folder)) {
      const dayStartMs = Date.parse(name.slice(0, 10))
      if (nowMs >= dayExpiryMs(dayStartMs / DAY_MS)) destroyFile(join(this.#folder, name))
    }
  }

  #read(day: number): Buffer | undefined {
    try {
      return readFileSync(this.#path(day))
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined
      throw error
    }
  }

  /** Writes a complete temporary file and links it to the day's name, which succeeds for one writer only. */
  #create(day: number, salt: Uint8Array): Buffer {
    const aside = `${this.#path(day)}.${randomUUID()}`
    try {
      writeSynced(aside, encodeSalt(day, salt))
      linkSync(aside, this.#path(day))
      syncFolder(this.#folder)
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
    } finally {
      removeFile(aside)
    }
    return readFileSync(this.#path(day))
  }

  #path(day: number): string {
    return join(this.#folder, utcDayText(day))
  }
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function destroyFile(path: string): void {
  try {
    const file = openSync(path, 'r+')
    try {
      writeSync(file, Buffer.alloc(fstatSync(file).size), 0, undefined, 0)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    // Another process was first.
    if (!isErrno(error, 'ENOENT')) throw error
  }
  removeFile(path)
}

function removeFile(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
