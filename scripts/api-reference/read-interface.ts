import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import {
  createFileRegistry,
  type DescEnum,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescService,
  fromBinary,
} from '@bufbuild/protobuf'
import { type FileDescriptorProto, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'

/** The interface as the .proto files have it, with what their comments say. */
export interface Interface {
  /** In the order of their full names. */
  readonly services: readonly DescService[]
  /** The comment of anything that has one; empty for what has none. */
  commentOf(described: { readonly proto: object }): string
}

/** Packages of others: what they mean is told where they are used. */
const FOREIGN = /^(google|buf|grpc)\./

/** Compiles the folder `proto` of a repository. */
export function readInterface(root: string): Interface {
  const buf = join(root, 'node_modules', '@bufbuild', 'buf', 'bin', 'buf')
  const words = [buf, 'build', 'proto', '--as-file-descriptor-set', '-o', '-#format=binpb']
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root })
  if (status !== 0) throw new Error(`buf build failed: ${stderr}`)
  const set = fromBinary(FileDescriptorSetSchema, stdout)
  const files = [...createFileRegistry(set).files].filter(({ proto }) => !FOREIGN.test(proto.package))
  const services = files.flatMap((file) => file.services)
  const comments = new Map(files.flatMap(listComments))
  return {
    services: services.sort((a, b) => (a.typeName < b.typeName ? -1 : 1)),
    commentOf: ({ proto }) => comments.get(proto) ?? '',
  }
}

/** Numbers of fields in descriptor.proto, of which paths to comments are made. */
const PATHS = {
  message: 4,
  enum: 5,
  service: 6,
  nestedMessage: 3,
  nestedEnum: 4,
  member: 2,
  oneof: 8,
} as const

type Entry = readonly [proto: object, comment: string]

function listComments(file: DescFile): readonly Entry[] {
  const at = commentsByPath(file.proto)
  const entriesOf = (protos: readonly object[], path: readonly number[]): Entry[] =>
    protos.map((proto, index) => [proto, at.get([...path, index].join()) ?? ''])
  const ofEnum = ({ proto }: DescEnum, path: readonly number[]): Entry[] =>
    entriesOf(proto.value, [...path, PATHS.member])
  const ofMessage = (message: DescMessage, path: readonly number[]): Entry[] => [
    ...entriesOf(message.proto.field, [...path, PATHS.member]),
    ...entriesOf(message.proto.oneofDecl, [...path, PATHS.oneof]),
    ...entriesOf(message.proto.nestedType, [...path, PATHS.nestedMessage]),
    ...entriesOf(message.proto.enumType, [...path, PATHS.nestedEnum]),
    ...message.nestedEnums.flatMap((nested) =>
      ofEnum(nested, [...path, PATHS.nestedEnum, message.proto.enumType.indexOf(nested.proto)]),
    ),
    ...message.nestedMessages.flatMap((nested) =>
      ofMessage(nested, [...path, PATHS.nestedMessage, message.proto.nestedType.indexOf(nested.proto)]),
    ),
  ]
  return [
    ...entriesOf(file.proto.messageType, [PATHS.message]),
    ...entriesOf(file.proto.enumType, [PATHS.enum]),
    ...entriesOf(file.proto.service, [PATHS.service]),
    ...file.messages.flatMap((message, index) => ofMessage(message, [PATHS.message, index])),
    ...file.enums.flatMap((described, index) => ofEnum(described, [PATHS.enum, index])),
    ...file.services.flatMap(({ proto }, index) =>
      entriesOf(proto.method, [PATHS.service, index, PATHS.member]),
    ),
  ]
}

function commentsByPath(proto: FileDescriptorProto): ReadonlyMap<string, string> {
  const locations = proto.sourceCodeInfo?.location ?? []
  return new Map(
    locations.map(({ path, leadingComments }) => [path.join(), leadingComments.replace(/\s+/g, ' ').trim()]),
  )
}

/** The message or enum that values of a field are, or are made of. */
export function typeOf(field: DescField): DescMessage | DescEnum | undefined {
  return field.message ?? field.enum
}

/** Messages and enums that messages are made of, each once, themselves apart; types of others are left out. */
export function listTypes(from: readonly DescMessage[]): readonly (DescMessage | DescEnum)[] {
  const found = new Map<string, DescMessage | DescEnum>()
  const visit = (message: DescMessage): void => {
    for (const type of message.fields.flatMap((field) => typeOf(field) ?? [])) {
      if (found.has(type.typeName) || FOREIGN.test(type.typeName)) continue
      found.set(type.typeName, type)
      if (type.kind === 'message') visit(type)
    }
  }
  from.forEach(visit)
  return [...found.values()].sort((a, b) => (a.typeName < b.typeName ? -1 : 1))
}
