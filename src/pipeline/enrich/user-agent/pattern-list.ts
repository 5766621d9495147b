import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parse } from 'yaml'

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

/** Reads the patterns; takes about 150 ms. */
export function readPatternLists(): PatternLists {
  const path = createRequire(import.meta.url).resolve('uap-core/regexes.yaml')
  const lists: Readonly<Record<string, readonly Entry[]>> = parse(readFileSync(path, 'utf8'))
  return {
    browsers: compileList(lists.user_agent_parsers, BROWSER_KEYS),
    systems: compileList(lists.os_parsers, SYSTEM_KEYS),
    devices: compileList(lists.device_parsers, DEVICE_KEYS),
  }
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
