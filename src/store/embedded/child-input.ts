/** What the engine's process is told on its command line, as JSON. No secrets: a command line is public. */
export type EngineProcessInput = {
  readonly libraryPath: string
  readonly configPath: string
  /** Files that the engine reads besides its tables: configuration and library. */
  readonly readablePaths: readonly string[]
  readonly logFolder: string
  /** Folder of the tables. */
  readonly tablesFolder: string
  /** File whose lock says who owns the folder. */
  readonly lockPath: string
  readonly httpPort: number
  readonly tcpPort: number | undefined
}

/** Exit code of a process that found the folder owned by another engine. */
export const EXIT_LOCKED = 75
/** Exit code of a process that could not load or confine the engine, told on stderr. */
export const EXIT_NO_LIBRARY = 70
