import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRegistry, fromBinary, type Message, toBinary } from '@bufbuild/protobuf'
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire'
import { FileDescriptorProtoSchema, file_google_protobuf_descriptor } from '@bufbuild/protobuf/wkt'
import type { Plugin } from 'vite'

/** The messages of the service as generated modules. */
const CONTRACT = fileURLToPath(new URL('../src/contract/gen/', import.meta.url))

/** The one module that checks messages by the rules of their files; pages load it when a query is edited. */
const RULE_READER = fileURLToPath(new URL('../src/domain/insights/find-refusal.ts', import.meta.url))

/** Marks a module of the contract that keeps its rules. */
const WITH_RULES = '?rules'

const RULES_IMPORT = /^import \{ file_buf_validate_validate \} .*\n/m
const RULES_DEPENDENCY = /file_buf_validate_validate(?:, )?/
const EMBEDDED = /fileDesc\("(?<text>[A-Za-z0-9+/=]+)"/

const options = createRegistry(file_google_protobuf_descriptor)

/**
 * Makes descriptors small. Validation rules are left out of those that pages load: they are half of the size, and need the
 * descriptors of the rules themselves. The module that checks by rules gets copies that keep them. All are embedded as text.
 */
export function contract(): Plugin {
  return {
    name: 'contract',
    enforce: 'pre',
    async resolveId(id, importer, rest) {
      const keepsRules = importer === RULE_READER || importer?.endsWith(WITH_RULES)
      if (importer === undefined || !keepsRules || !id.endsWith('_pb.js')) return undefined
      const found = await this.resolve(id, withoutMark(importer), { ...rest, skipSelf: true })
      return found?.id.startsWith(CONTRACT) ? `${found.id}${WITH_RULES}` : found
    },
    load: (id) =>
      id.startsWith(CONTRACT) && id.endsWith(WITH_RULES) ? readFileSync(withoutMark(id), 'utf8') : undefined,
    transform: (code, id) =>
      id.startsWith(CONTRACT) && withoutMark(id).endsWith('_pb.js')
        ? { code: embedText(id.endsWith(WITH_RULES) ? code : dropRules(code)), map: null }
        : undefined,
  }
}

function withoutMark(id: string): string {
  return id.endsWith(WITH_RULES) ? id.slice(0, -WITH_RULES.length) : id
}

/** A generated module without rules, neither in its embedded descriptor nor among the files that this one needs. */
function dropRules(code: string): string {
  return code
    .replace(RULES_IMPORT, '')
    .replace(RULES_DEPENDENCY, '')
    .replace(EMBEDDED, (_, text: string) => `fileDesc("${dropRulesOfFile(text)}"`)
}

/** A generated module whose descriptor is embedded as the characters of its bytes: names in base64 compress half as well. */
function embedText(code: string): string {
  return code.replace(
    EMBEDDED,
    (_, text: string) => `fileDesc(btoa(${JSON.stringify(Buffer.from(text, 'base64').toString('latin1'))})`,
  )
}

function dropRulesOfFile(text: string): string {
  const file = fromBinary(FileDescriptorProtoSchema, base64Decode(text))
  dropExtensions(file)
  return base64Encode(toBinary(FileDescriptorProtoSchema, file), 'std_raw')
}

/** The rules are extensions of the options of files, messages and fields; options that hold nothing else go too. */
function dropExtensions(holder: object): void {
  const fields = holder as Record<string, unknown>
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) for (const item of value) if (isMessage(item)) dropExtensions(item)
    if (name !== 'options' || !isMessage(value)) continue
    delete value.$unknown
    const schema = options.getMessage(value.$typeName)
    if (schema && toBinary(schema, value).length === 0) delete fields.options
  }
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && '$typeName' in value
}
