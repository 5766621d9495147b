/** Parsed JSON text; whole numbers of 64 bits keep all their digits. */
export type JsonNode =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonNode[]
  | { readonly [key: string]: JsonNode }

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

// The compiler's library does not know yet that a reviver also gets the source of a number.
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => JsonNode

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n

/** Parses JSON text; undefined when it is none. */
export function parseJson(text: string): JsonNode | undefined {
  try {
    return parseWithSource(text, (_key, value, { source }) =>
      typeof value === 'number' ? readNumber(source ?? String(value)) : value,
    )
  } catch {
    return undefined
  }
}

/** Compact JSON text. */
export function writeJson(node: JsonNode): string {
  if (node === null) return 'null'
  if (typeof node === 'bigint' || typeof node === 'number') return String(node)
  if (typeof node !== 'object') return JSON.stringify(node)
  if (isArray(node)) return `[${node.map(writeJson).join(',')}]`
  const members = Object.entries(node).map(([key, member]) => `${JSON.stringify(key)}:${writeJson(member)}`)
  return `{${members.join(',')}}`
}

/** The node at the end of a path of object keys; undefined when there is none. */
export function descend(root: JsonNode | undefined, path: readonly string[]): JsonNode | undefined {
  let node = root
  for (const key of path) {
    if (node === null || typeof node !== 'object' || isArray(node)) return undefined
    node = Object.hasOwn(node, key) ? node[key] : undefined
  }
  return node
}

function readNumber(source: string): number | bigint {
  if (!/^-?\d+$/.test(source)) return Number(source)
  const whole = BigInt(source)
  return whole >= INT64_MIN && whole <= INT64_MAX ? whole : Number(source)
}

function isArray(node: JsonNode): node is readonly JsonNode[] {
  return Array.isArray(node)
}
