import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** One pattern of uap-core, with its templates. */
export interface Pattern {
  readonly regExp: RegExp
  readonly templates: readonly (string | undefined)[]
}

/** The pattern lists of uap-core; the first match wins. */
export interface PatternLists {
  /** Templates: family, then up to four parts of the version. */
  readonly browsers: readonly Pattern[]
  /** Templates: family, then up to four parts of the version. */
  readonly systems: readonly Pattern[]
  /** Template: the name of the device. */
  readonly devices: readonly Pattern[]
}

type Entry = Readonly<Record<string, string | undefined>>

const BROWSER_KEYS = [
  'family_replacement',
  'v1_replacement',
  'v2_replacement',
  'v3_replacement',
  'v4_replacement',
]
const SYSTEM_KEYS = [
  'os_replacement',
  'os_v1_replacement',
  'os_v2_replacement',
  'os_v3_replacement',
  'os_v4_replacement',
]
const DEVICE_KEYS = ['device_replacement']

/** A line of the file: the name of a list, or a key with a text in single quotes, the first of an entry after a dash. */
const LINE = /^(?:(\w+):|( {2}- | {4})(\w+): '((?:[^']|'')*)')\s*$/
const FIRST_KEY = '  - '
const NO_CONTENT = /^\s*(?:#|$)/

/** Reads the patterns. */
export function readPatternLists(): PatternLists {
  const lists = parseLists(readFileSync(patternsPath(), 'utf8'))
  return {
    browsers: compileList(lists.user_agent_parsers, BROWSER_KEYS),
    systems: compileList(lists.os_parsers, SYSTEM_KEYS),
    devices: compileList(lists.device_parsers, DEVICE_KEYS),
  }
}

/** The file of uap-core. */
export function patternsPath(): string {
  return createRequire(import.meta.url).resolve('uap-core/regexes.yaml')
}

/**
 * Parses the few forms of YAML that the file has, in a thirtieth of the time of a parser of all of YAML, which every worker would
 * take at its start. Throws for another form.
 */
export function parseLists(text: string): Readonly<Record<string, readonly Entry[]>> {
  const lists: Record<string, Record<string, string>[]> = {}
  let entries: Record<string, string>[] = []
  for (const line of text.split('\n')) {
    if (NO_CONTENT.test(line)) continue
    const [, list, indent, key, value = ''] = LINE.exec(line) ?? []
    if (indent === FIRST_KEY) entries.push({})
    const entry = entries.at(-1)
    if (list !== undefined) {
      entries = []
      lists[list] = entries
    } else if (key !== undefined && entry !== undefined) entry[key] = value.replaceAll("''", "'")
    else throw new Error(`uap-core/regexes.yaml has an unknown form: ${line}`)
  }
  return lists
}

function compileList(entries: readonly Entry[] = [], keys: readonly string[]): readonly Pattern[] {
  return entries.map((entry) => ({
    regExp: new RegExp(entry.regex ?? '', entry.regex_flag),
    templates: keys.map((key) => entry[key]),
  }))
}

/** The parts of the first matching pattern: each a filled template, or the group with the same index. */
export function matchFirst(patterns: readonly Pattern[], text: string): readonly string[] | undefined {
  for (const { regExp, templates } of patterns) {
    const match = regExp.exec(text)
    if (match === null) continue
    return templates.map((template, index) => fillTemplate(template ?? `$${index + 1}`, match))
  }
  return undefined
}

function fillTemplate(template: string, match: RegExpExecArray): string {
  return template.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '').trim()
}
