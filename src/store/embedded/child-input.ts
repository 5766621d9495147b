/** Command-line input of the engine's process, as JSON. No secrets: a command line is public. */
export type EngineProcessInput = {
  readonly libraryPath: string
  readonly configPath: string
  /** Files that the engine reads besides its tables: configuration and library. */
  readonly readablePaths: readonly string[]
  readonly logFolder: string
  /** Folder of the tables. */
  readonly tablesFolder: string
  /** The lock file that proves ownership of the folder. */
  readonly lockPath: string
  readonly httpPort: number
  readonly tcpPort: number | undefined
}

/** Exit code when another engine owns the folder. */
export const EXIT_LOCKED = 75
/** Exit code when the engine cannot be loaded or confined; the reason is on stderr. */
export const EXIT_NO_LIBRARY = 70
