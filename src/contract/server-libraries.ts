/**
 * Words in the names of libraries that run on servers: the languages of servers, which no library of browsers or apps has in its
 * name. `posthog-python`, `analytics-node`, `amplitude-go/1.2.0`, and just `ruby` (Mixpanel) are such names.
 */
const SERVER_WORDS: ReadonlySet<string> = new Set([
  'clojure',
  'csharp',
  'dotnet',
  'elixir',
  'go',
  'golang',
  'http',
  'java',
  'net',
  'node',
  'nodejs',
  'perl',
  'php',
  'python',
  'rs',
  'ruby',
  'rust',
  'scala',
  'server',
])

/**
 * Whether the name that a client library of another product gives itself is that of a library for servers. Their events say nothing
 * about the device of the user, and without a session id of their own they belong to none.
 */
export function isServerLibrary(name: string): boolean {
  const known = KNOWN.get(name)
  if (known !== undefined) return known
  const isServer = name
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => SERVER_WORDS.has(word))
  if (KNOWN.size >= KNOWN_MAX) KNOWN.clear()
  if (name.length <= NAME_LENGTH_MAX) KNOWN.set(name, isServer)
  return isServer
}

/** Kept names: every event has one, and there are few. */
const KNOWN = new Map<string, boolean>()
const KNOWN_MAX = 256
const NAME_LENGTH_MAX = 100
