import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findAccessRule } from '../../src/control/access/role-table.ts'

/** Where the examples are, in the order in which they work one after the other. */
const EXAMPLES_FILE = 'docs/api/examples.json'

/** One call. Texts with `$NAME` stand for variables of the shell that earlier answers gave. */
export interface Example {
  /** Full name of the service, a slash, and the method. */
  readonly call: string
  /** The heading of the example in the pages. */
  readonly title?: string
  /** The request in JSON; without one, `bodyCommand` writes it. */
  readonly body?: unknown
  readonly bodyCommand?: string
  /** Variable with the token, in the place of TOKEN. */
  readonly token?: string
  /** Variable with the project, in the place of PROJECT_ID. */
  readonly project?: string
  /** Only prepares the next ones: pages do not show it. */
  readonly isSetup?: boolean
  /** The expected answer, in JSON; `…` stands for any text. */
  readonly answer?: unknown
  /** Variables and where the answer has their values: `orgs.0.id`, or `members[email=a@b.c].id`. */
  readonly capture?: Readonly<Record<string, string>>
  /** Variables and whose mail has a link with their values: the newest one to that address. */
  readonly captureMail?: Readonly<Record<string, string>>
  /** True if the expected answer appears after a moment. */
  readonly isEventual?: boolean
}

/** How a call shows who makes it. */
type Credential = 'nobody' | 'public key' | 'private key' | 'account' | 'project'

/** Reads the examples of a repository. */
export function readExamples(root: string): readonly Example[] {
  return JSON.parse(readFileSync(join(root, EXAMPLES_FILE), 'utf8'))
}

/** The command of an example, for a shell that has URL, the keys, and the variables captured before. */
export function renderCommand(example: Example, kind: 'unary' | 'stream'): string {
  const type = kind === 'unary' ? 'application/json' : 'application/connect+json'
  const headers = [`content-type: ${type}`, ...credentialHeaders(example)]
  const lines = [`curl -s "$URL/${example.call}"`, ...headers.map((header) => `  -H ${quote(header)}`)]
  if (example.bodyCommand !== undefined)
    return `${example.bodyCommand} |\n${[...lines, '  -d @-'].join(' \\\n')}`
  const body = JSON.stringify(example.body ?? {}, undefined, 2)
  if (kind === 'unary') return [...lines, `  -d ${quote(compact(body))}`].join(' \\\n')
  // A message of a stream has a byte of flags and four of its length before it.
  const flat = JSON.stringify(example.body ?? {})
  const frame = [...Buffer.from([0, 0, 0, 0, Buffer.byteLength(flat)])].map(
    (byte) => `\\${byte.toString(8).padStart(3, '0')}`,
  )
  const rest = [...lines, '  --data-binary @- --output -'].join(' \\\n')
  return `printf '${frame.join('')}%s' ${quote(flat)} |\n${rest}`
}

/** Short requests in one line. */
function compact(json: string): string {
  const flat = json
    .replace(/\n\s*/g, ' ')
    .replace(/([[{]) /g, '$1')
    .replace(/ ([\]}])/g, '$1')
  return flat.length <= 100 ? flat : json
}

function credentialHeaders({ call, token = 'TOKEN', project = 'PROJECT_ID' }: Example): readonly string[] {
  const bearer = `authorization: Bearer $${token}`
  const headers = {
    nobody: [],
    'public key': ['x-api-key: $PUBLIC_KEY'],
    'private key': ['x-api-key: $PRIVATE_KEY'],
    account: [bearer],
    project: [bearer, `x-project-id: $${project}`],
  } as const satisfies Record<Credential, readonly string[]>
  return headers[credentialOf(call)]
}

function credentialOf(call: string): Credential {
  const [service = '', method = ''] = call.split('/')
  if (service.startsWith('sdk.')) return 'public key'
  if (service.startsWith('shared.')) return 'private key'
  const rule = findAccessRule({ service, method })
  if (rule === undefined) return 'nobody'
  return rule.scope === 'project' ? 'project' : 'account'
}

/** A text as one word of a shell: variables in capitals are filled in, nothing else is. */
function quote(text: string): string {
  const parts = text.split(/(\$[A-Z][A-Z_]*)/)
  const words = parts.map((part, index) => {
    if (part === '') return ''
    return index % 2 === 1 ? `"${part}"` : `'${part.replaceAll("'", `'\\''`)}'`
  })
  return words.join('') || "''"
}
