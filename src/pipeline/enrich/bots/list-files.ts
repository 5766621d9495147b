import { readFileSync } from 'node:fs'
import { buildNetworkList, type NetworkList } from './network-list.ts'

/** Bounds the memory of a list, which each worker holds. */
const LINES_MAX = 200_000

const COMMENT = /#.*$/s

/** The host of a domain name: labels of letters, digits, `-` and `_`. */
const DOMAIN = /^(?=.{1,253}$)[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)+$/u

/** Reads a file of address ranges, one a line. Throws an error that names the file and the line. */
export function readNetworkFile(path: string): NetworkList {
  const lines = readLines(path)
  const networks = buildNetworkList(lines.map(({ text }) => text))
  if (networks.ok) return networks.value
  const bad = lines.find(({ text }) => text === networks.error)
  throw lineError(path, bad, 'is not an address range in CIDR notation')
}

/** Reads a file of domains, one a line; the result tests a host for being one of them or below one. */
export function readDomainFile(path: string): (host: string) => boolean {
  const lines = readLines(path)
  const bad = lines.find(({ text }) => !DOMAIN.test(text))
  if (bad) throw lineError(path, bad, 'is not a domain')
  const domains = new Set(lines.map(({ text }) => asciiDomain(text)))
  return (host) => suffixesOf(host).some((suffix) => domains.has(suffix))
}

/** A host and the domains above it. */
function suffixesOf(host: string): readonly string[] {
  const labels = host.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/** As the host of a URL is written. */
function asciiDomain(text: string): string {
  return URL.parse(`http://${text}/`)?.hostname ?? text.toLowerCase()
}

interface Line {
  readonly number: number
  readonly text: string
}

function readLines(path: string): readonly Line[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((text, index) => ({ number: index + 1, text: text.replace(COMMENT, '').trim() }))
    .filter(({ text }) => text !== '')
  if (lines.length <= LINES_MAX) return lines
  throw new Error(`${path} has ${lines.length} entries; at most ${LINES_MAX} are accepted`)
}

function lineError(path: string, line: Line | undefined, problem: string): Error {
  return new Error(`line ${line?.number ?? 0} of ${path} ${problem}: ${line?.text.slice(0, 64) ?? ''}`)
}
